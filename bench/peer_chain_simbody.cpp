// The chain by Simbody in joint coordinates, with pins or balls: its Runge-Kutta-Merson scheme.
#include "clock.h"
#include "peer_motion.h"

#include <Simbody.h>

#include <exception>

using namespace SimTK;

static void follow(double tolerance, double until, int links, bool balls, double *q)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    const Real length = 1.0 / links, mass = 1.0 / links,
               along = 0.01 * mass * length * length,
               across = 0.09 * mass * length * length;
    // Pins turn about z: the plane of the chain is x, y.
    Force::Gravity(forces, matter, Vec3(0, -9.81, 0));
    const Vec3 centre(length / 2, 0, 0);
    const Body::Rigid link(MassProperties(
        mass, centre,
        Inertia(along, across, across) + Inertia(centre, mass)));
    MobilizedBody last = matter.Ground();
    std::vector<MobilizedBody> all;
    for (int k = 0; k < links; k++) {
        const Transform at(Vec3(k > 0 ? length : 0, 0, 0));
        if (balls)
            last = MobilizedBody::Ball(last, at, link, Transform());
        else
            last = MobilizedBody::Pin(last, at, link, Transform());
        all.push_back(last);
    }
    system.realizeTopology();
    peer_began = bench_nanoseconds();
    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(tolerance);
    integrator.setFinalTime(until);
    integrator.initialize(system.getDefaultState());
    while (integrator.getTime() < until &&
           integrator.stepTo(until) != Integrator::EndOfSimulation) {
    }
    const State &end = integrator.getState();
    system.realize(end, Stage::Position);
    for (int k = 0; k < links; k++) {
        const Vec3 at =
            all[static_cast<std::size_t>(k)].findStationLocationInGround(end, centre);
        q[3 * k] = at[0];
        q[3 * k + 1] = 0;
        q[3 * k + 2] = at[1];
    }
}

static bool try_to_follow(double tolerance, double until, int links, bool balls, double *q)
{
    try {
        follow(tolerance, until, links, balls, q);
        return true;
    } catch (const std::exception &) {
        return false;
    }
}

bool peer_simbody_hinges(double tolerance, double until, int links, double *q)
{
    return try_to_follow(tolerance, until, links, false, q);
}

bool peer_simbody_balls(double tolerance, double until, int links, double *q)
{
    return try_to_follow(tolerance, until, links, true, q);
}
