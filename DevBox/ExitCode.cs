namespace ScaleOut.DevBox;

/// <summary>What the program's exit code says.</summary>
internal static class ExitCode
{
    public const int Complete = 0;

    /// <summary>The run ended without all documents, could not go on, or differs from its account's ledger; or no fleet
    /// holds the rate.</summary>
    public const int Incomplete = 1;

    public const int BadInput = 2;

    /// <summary>The run is complete, and the condition of <c>--fail-if</c> holds.</summary>
    public const int FailIfHolds = 3;

    /// <summary>
    /// The run or experiment is complete, but figures of it are not valid, and the condition rests on them or <c>--strict</c> is given.
    /// </summary>
    public const int NotValid = 5;

    /// <summary>Stopped by Ctrl+C or SIGTERM.</summary>
    public const int Stopped = 130;
}
