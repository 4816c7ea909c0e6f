namespace ScaleOut.Specs;

/// <summary>Which account a run goes to, as far as that is known when its plan is read.</summary>
public enum RunTarget
{
    /// <summary>Not known: a plan with <see cref="RunSpec.Simulation"/> is taken for a simulated run, one without for any.</summary>
    Undecided,

    /// <summary>The simulated account, at its defaults where <see cref="RunSpec.Simulation"/> says nothing.</summary>
    SimulatedAccount,

    /// <summary>A real account or an emulator: <see cref="RunSpec.Simulation"/> is a fault.</summary>
    OtherAccount,
}
