# Completion of livens in bash: source this file, or install it as
# share/bash-completion/completions/livens. Commands, options and models are asked of the program.

_livens_terms() { # first column of a section of `livens help ...`: heading, arguments of help
    local heading=$1
    shift
    livens help "$@" 2>/dev/null | sed -n "/^$heading\$/,/^\$/s/^  *\([^ ]*\).*/\1/p"
}

_livens_schemes() {
    livens list schemes --json 2>/dev/null | sed -n 's/.*{"name": "\([^"]*\)".*/\1/p'
}

_livens_value() { # what help calls the value of an option: command, option; nothing if it takes none
    [[ $2 == -* ]] || return
    livens help "$1" 2>/dev/null | sed -n "s/^  \(-.,\)\{0,1\} *$2 \([^ ]*\).*/\2/p"
}

_livens_parts() {
    livens list parts 2>/dev/null | sed '/^$/,$d' | cut -d ' ' -f 1
}

_livens_papers() {
    livens reproduce --json 2>/dev/null | sed -n 's/.*"name": "\([^"]*\)".*/\1/p'
}

_livens() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} choices=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        choices="$(_livens_terms commands) --help --version"
    elif [ "$previous" = --scheme ]; then
        choices=$(_livens_schemes)
    elif [[ " --output -o --csv --series " == *" $previous "* ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
    elif [ -n "$(_livens_value "$command" "$previous")" ]; then
        choices=$(_livens_value "$command" "$previous" | grep -F '|' | tr '|' ' ')
        [ -n "$choices" ] || return
    elif [[ $word == -* ]]; then
        choices=$(livens help "$command" 2>/dev/null | grep -oE '^  .*--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u)
    else
        case $command in
        run | sweep | check | show) choices=$(livens list models 2>/dev/null | cut -d ' ' -f 1) ;;
        reproduce) choices=$(_livens_papers) ;;
        list) choices="schemes parts models functions" ;;
        explain)
            choices="$(_livens_schemes) $(_livens_parts) memory limit syntax model domain numeric usage io"
            ;;
        help) choices="$(_livens_terms commands) model functions commands" ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    if [[ $command =~ ^(run|resume|sweep|check)$ && $COMP_CWORD -gt 1 && $word != -* && $previous != --* ]]; then
        local files
        mapfile -t files < <(compgen -f -- "$word")
        COMPREPLY+=("${files[@]}")
    fi
}

complete -o filenames -F _livens livens
