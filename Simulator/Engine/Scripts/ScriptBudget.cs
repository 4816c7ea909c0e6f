using Jint;

namespace ScaleOut.Simulator.Engine.Scripts;

/// <summary>What one run of a script may take.</summary>
internal sealed record ScriptLimits
{
    /// <summary>Part of each limit after which the collection accepts no more operations, so that a script can end by itself.</summary>
    public const double Accepting = 0.8;

    public static ScriptLimits Default { get; } = new();

    /// <summary>Default 5 s, as on the service ("How to write stored procedures, triggers, and user-defined functions").</summary>
    public TimeSpan Time { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Time of one match of a regular expression, which is not interrupted.</summary>
    public TimeSpan MatchTime { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>An interpreter needs seconds for the default.</summary>
    public int Statements { get; init; } = 20_000_000;

    /// <summary>Bytes that a run's script allocates, also those that it frees again. Default 512 MiB.</summary>
    public long AllocatedBytes { get; init; } = 512L * 1024 * 1024;

    /// <summary>Items of an array that a script makes at once.</summary>
    public uint ArrayItems { get; init; } = 10_000_000;
}

/// <summary>Ends a run that takes too much. Script cannot catch the exception. It counts one thread's allocations.</summary>
internal sealed class ScriptBudget(ScriptLimits limits) : Constraint
{
    private const string OutOfTime =
        "The requested operation exceeded maximum alloted time. Learn more: https://aka.ms/cosmosdb-tsg-service-request-timeout";

    // The clock is read at each statement, most of which take less time than a reading of a TimeProvider.
#pragma warning disable RS0030
    private static long NowMs => Environment.TickCount64;
#pragma warning restore RS0030

    private readonly long _end = NowMs + (long)limits.Time.TotalMilliseconds;
    private readonly long _allocatedAtFirst = GC.GetAllocatedBytesForCurrentThread();
    private long _allocatedBefore = GC.GetAllocatedBytesForCurrentThread();
    private int _statements;

    public TimeSpan TimeLeft => TimeSpan.FromMilliseconds(_end - NowMs);

    /// <summary>Whether all calls have allocated more than one may, and the interpreter may keep it.</summary>
    public bool IsWorn => GC.GetAllocatedBytesForCurrentThread() - _allocatedAtFirst > limits.AllocatedBytes;

    /// <summary>Whether the collection still accepts operations.</summary>
    public bool Accepts => TimeLeft > limits.Time * (1 - ScriptLimits.Accepting)
        && _statements < limits.Statements * ScriptLimits.Accepting && Allocated < limits.AllocatedBytes * ScriptLimits.Accepting;

    private long Allocated => GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;

    /// <summary>Begins another call, which has the time that is left.</summary>
    public void Restart() => (_allocatedBefore, _statements) = (GC.GetAllocatedBytesForCurrentThread(), 0);

    /// <summary>Does what the account does for a script, whose memory is not the script's.</summary>
    public T Exempt<T>(Func<T> work)
    {
        var before = Allocated;
        var result = work();
        _allocatedBefore += Allocated - before;
        return result;
    }

    /// <exception cref="RequestException">408 or 400: the run has taken too much.</exception>
    public override void Check()
    {
        if (++_statements > limits.Statements || NowMs >= _end)
            throw TookTooLong();
        if (Allocated > limits.AllocatedBytes)
            throw ScriptErrors.OfRun("Error: Out of memory");
    }

    /// <summary>Called by the interpreter at each entry, of which a run has several.</summary>
    public override void Reset()
    {
    }

    public static RequestException TookTooLong() => new(ServiceStatus.RequestTimeout, OutOfTime);
}

/// <summary>The service's errors of scripts: 400 with the number that script gave the error as the sub-status.</summary>
internal static class ScriptErrors
{
    /// <summary>The sub-status of a script that is no function.</summary>
    private const int CompileError = 0xFFFF;

    public static RequestException OfRun(string error, int number = 0) =>
        RequestException.BadRequest($"Encountered exception while executing function. Exception = {error}", number);

    public static RequestException OfCompilation(string error) =>
        RequestException.BadRequest($"Encountered exception while compiling Javascript. Exception = {error}", CompileError);
}
