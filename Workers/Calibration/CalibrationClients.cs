using System.Collections.Concurrent;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Calibration;

/// <summary>
/// Two clients in one mode: of the account that is measured, and of a simulated one on this machine whose responses take a known time.
/// </summary>
internal sealed class CalibrationClients(CalibrationClient account, CalibrationClient reference) : IDisposable
{
    public CalibrationClient Account { get; } = account;

    public CalibrationClient Reference { get; } = reference;

    public void Dispose()
    {
        Account.Dispose();
        Reference.Dispose();
    }
}

/// <summary>How long calls of one kind to both accounts took; added to from any thread.</summary>
internal sealed class CallTimes
{
    private readonly ConcurrentBag<double> _ms = [];
    private readonly ConcurrentBag<double> _referenceMs = [];

    public void Add(in CalibrationCall call, bool toReference) => (toReference ? _referenceMs : _ms).Add(call.Ms);

    public LatencySample ToSample(LatencyKind kind, ConnectionMode mode) =>
        new() { Kind = kind, Mode = mode, Ms = [.. _ms], ReferenceMs = [.. _referenceMs] };
}
