using System.Collections.Concurrent;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Profiles;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Calibration;

/// <summary>What the phases of a calibration have observed.</summary>
internal sealed class CalibrationData(AccountConnection account)
{
    private readonly HashSet<string> _notes = [];
    private readonly Lock _lock = new();

    public List<ChargeObservation> Charges { get; } = [];

    public List<LatencySample> Latencies { get; } = [];

    public ConcurrentBag<double> RetryAfterMs { get; } = [];

    /// <summary>On one key, without an idle time before.</summary>
    public List<AdmittedOperation> Admitted { get; } = [];

    /// <summary>On the same key, after the idle time.</summary>
    public List<AdmittedOperation> AdmittedAfterIdling { get; } = [];

    public List<LayoutFigure> Layout { get; } = [];

    /// <summary>What is missing and why.</summary>
    public IReadOnlyCollection<string> Notes => _notes;

    /// <summary>Adds what a 429 has the client wait, if it says; from any thread.</summary>
    public void AddRetryAfter(TimeSpan retryAfter)
    {
        if (retryAfter > TimeSpan.Zero)
            RetryAfterMs.Add(retryAfter.TotalMilliseconds);
    }

    /// <summary>Adds a note once; from any thread.</summary>
    public void Note(string text)
    {
        lock (_lock)
            _notes.Add(text);
    }

    /// <summary>Notes a call that neither succeeded nor was throttled.</summary>
    public void NoteError(string what, in AttemptResponse response)
    {
        var reason = ServiceText.Clean(response.Reason, account);
        Note($"{what}: the account responded with {response.Code}{(reason.Length > 0 ? $" ({reason})" : "")}.");
    }
}
