// The pendulum in space and plane chains of point masses by Simbody, in joint angles: its Runge-Kutta-Merson scheme.
#include "peer.h"

#include <Simbody.h>

#include <exception>

using namespace SimTK;

static void put_pendulum(SimbodyMatterSubsystem &matter, std::vector<MobilizedBody> &all)
{
    const Rotation frame(Mat33(0, 0, -1, 0, 1, 0, 1, 0, 0)); // the start is not a pole of the joint
    const Vec3 at(0, 0, -1);
    const Body::Rigid body(MassProperties(1, at, Inertia(at, 1)));
    all.push_back(
        MobilizedBody::Universal(matter.Ground(), Transform(frame), body, Transform()));
}

// Pins turn about z: the plane of the chain is x, y.
static void put_chain(const bench_particles *p, SimbodyMatterSubsystem &matter,
                      std::vector<MobilizedBody> &all)
{
    const Real length = 1.0 / p->n;
    const Vec3 at(length, 0, 0);
    MobilizedBody last = matter.Ground();
    for (int k = 0; k < p->n; k++) {
        const Body::Rigid link(MassProperties(p->mass[k], at, Inertia(at, p->mass[k])));
        last = MobilizedBody::Pin(last, Transform(Vec3(k > 0 ? length : 0, 0, 0)), link,
                                  Transform());
        all.push_back(last);
    }
}

static void follow(const bench_particles *p, double tolerance, double *q)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    std::vector<MobilizedBody> all;
    const bool alone = p->n == 1;
    Force::Gravity(forces, matter,
                   alone ? Vec3(0, 0, -p->gravity) : Vec3(0, -p->gravity, 0));
    if (alone)
        put_pendulum(matter, all);
    else
        put_chain(p, matter, all);
    system.realizeTopology();
    State start = system.getDefaultState();
    system.realizeModel(start);
    if (alone)
        all[0].setUFromVector(start, Vector(Vec2(p->v[1], 0)));
    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(tolerance);
    integrator.setFinalTime(p->until);
    integrator.initialize(start);
    while (integrator.getTime() < p->until &&
           integrator.stepTo(p->until) != Integrator::EndOfSimulation) {
    }
    const State &end = integrator.getState();
    system.realize(end, Stage::Position);
    for (int k = 0; k < p->n; k++) {
        const Vec3 station = alone ? Vec3(0, 0, -1) : Vec3(1.0 / p->n, 0, 0);
        const Vec3 at =
            all[static_cast<std::size_t>(k)].findStationLocationInGround(end, station);
        q[3 * k] = at[0];
        q[3 * k + 1] = alone ? at[1] : 0;
        q[3 * k + 2] = alone ? at[2] : at[1];
    }
}

bool peer_simbody_points(const bench_particles *p, double tolerance, double *q)
{
    if (p->spring_count > 0)
        return false;
    try {
        follow(p, tolerance, q);
        return true;
    } catch (const std::exception &) {
        return false;
    }
}
