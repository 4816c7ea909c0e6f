using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Text;
using ScaleOut.Simulator.Prediction;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Prediction;

/// <summary>What a fleet is predicted from: its spec, and what a run measured or options say of its clients.</summary>
internal sealed record PredictionBase
{
    private static readonly TimeSpan CalibrationDuration = TimeSpan.FromSeconds(20);

    private const long CalibrationOperations = 500_000;

    public required RunSpec Spec { get; init; }

    /// <summary>RU of one document, or query; null for what the spec's charges say.</summary>
    public double? ChargePerDocument { get; init; }

    /// <summary>Pages of one query; null for other workloads, and where none was measured.</summary>
    public double? PagesPerOperation { get; init; }

    /// <summary>Query plans that one query asks for.</summary>
    public double PlansPerOperation { get; init; }

    /// <summary>Documents that a query's page gives back; 1 for other workloads.</summary>
    public double ItemsPerPage { get; init; } = 1;

    /// <summary>The keys of the documents; null for those of the spec.</summary>
    public KeySpread? Keys { get; init; }

    /// <summary>Latency of the account.</summary>
    public required LatencyProfile Latency { get; init; }

    /// <summary>CPU time of the client for each attempt, ms.</summary>
    public required double CpuMsPerAttempt { get; init; }

    /// <summary>CPU time of the account for each attempt where it shared the clients' machine, ms; 0 where it is not known.</summary>
    public double AccountCpuMsPerAttempt { get; init; }

    /// <summary>Time of each attempt beside CPU and physics, ms.</summary>
    public double OverheadMs { get; init; }

    /// <summary>Where the figures are from, as sentences.</summary>
    public required IReadOnlyList<string> Notes { get; init; }

    /// <summary>A base without a run: the spec's physics, and CPU and overhead as stated.</summary>
    public static PredictionBase From(RunSpec spec, double? cpuMs, double? overheadMs) => new()
    {
        Spec = spec,
        Latency = LatencyOf(spec),
        CpuMsPerAttempt = cpuMs ?? 0,
        OverheadMs = overheadMs ?? 0,
        Notes =
        [
            cpuMs is { } stated
                ? $"CPU per operation {Numbers.Brief(stated)} ms, as stated"
                : "the clients' CPU is not known and bounds nothing: --cpu-per-operation states it, the report of a run has it measured",
        ],
    };

    /// <summary>A base that a run measured.</summary>
    /// <param name="report">The run's report.</param>
    /// <param name="spec">The spec of the fleet: the run's with the options over it.</param>
    /// <param name="cpuMs">CPU per operation; null for what the run measured.</param>
    /// <param name="overheadMs">Overhead; null for what the run measured.</param>
    /// <param name="keys">Of the documents of both specs; null where they are to be found out.</param>
    /// <exception cref="InputException">The run has nothing measured.</exception>
    public static PredictionBase From(RunReport report, RunSpec spec, double? cpuMs, double? overheadMs, KeySpread? keys = null)
    {
        if (MeasuredCpu.From(report) is not { } used || report.LatencyMs.Attempt.P50 is not { } medianMs)
            throw new InputException($"The run {report.Id} measured nothing that a fleet can be predicted from.");
        var measuredCpu = used.WorkerMs;
        var cpu = cpuMs ?? measuredCpu;
        var notes = new List<string>
        {
            cpuMs is null
                ? $"CPU per operation {Numbers.Brief(cpu)} ms, measured {used.When}"
                : $"CPU per operation {Numbers.Brief(cpu)} ms, as stated; the run measured {Numbers.Brief(measuredCpu)} ms",
        };
        if (report.BoundBy == BoundBy.Machine)
            notes.Add("the run was bound by the machine that its workers shared; --shared-cores simulates more of them on it");

        var pages = MeasuredCpu.PagesOf(report);
        var result = new PredictionBase
        {
            Spec = spec,
            PagesPerOperation = pages,
            PlansPerOperation = pages is null ? 0
                : Math.Max(0, ((report.Requests.Calls ?? 0) - report.Requests.Attempts) / (double)report.Requests.Operations),
            ItemsPerPage = pages is null ? 1 : (report.Requests.ItemsPerOperation ?? 1) / pages.Value,
            Keys = keys,
            ChargePerDocument = Charges(report.Spec, spec) ? report.RequestUnits.PerInsert : null,
            Latency = report.Simulated ? LatencyOf(spec) : Measured(report, medianMs - measuredCpu),
            CpuMsPerAttempt = cpu,
            AccountCpuMsPerAttempt = used.AccountMs,
            Notes = notes,
        };
        var overhead = overheadMs ?? (report.Simulated ? result.OverheadOf(report, measuredCpu, medianMs) : 0);
        notes.Add(overheadMs is not null
            ? $"overhead {Numbers.Brief(overhead)} ms an attempt, as stated"
            : report.Simulated
                ? $"overhead {Numbers.Brief(overhead)} ms an attempt: by so much the run's median is above that of its own simulation"
                : "latency by the quantiles that the run measured");
        return result with { OverheadMs = overhead };
    }

    /// <summary>
    /// By how much the attempts of a run took longer than the simulation of the same run says, at the median; of queries the operations,
    /// shared by the pages that they wait for: of pages that are asked for at once some are there when the client looks.
    /// </summary>
    private double OverheadOf(RunReport report, double cpuMs, double measuredMs)
    {
        var same = this with { Spec = report.Spec, Latency = LatencyOf(report.Spec), CpuMsPerAttempt = cpuMs };
        var spec = FleetSpecs.OnMachineOf(
            report, FleetSpecs.From(same, Math.Max(1, report.Partitions.Count)), AccountCpuMsPerAttempt) with
        {
            Duration = report.Spec.Workload.StepsDuration ?? CalibrationDuration,
            MostOperations = CalibrationOperations,
        };
        var simulated = VirtualFleet.Simulate(spec.Steps is null ? spec : spec with { Warmup = report.Spec.Warmup });
        return spec.Query is { } query
            ? Math.Max(0, (report.LatencyMs.Operation.P50 - simulated.Operation.PercentileMs(50)) / query.Depth ?? 0)
            : Math.Max(0, measuredMs - (simulated.Attempt.PercentileMs(50) ?? measuredMs));
    }

    /// <summary>Whether operations of two specs are charged alike.</summary>
    private static bool Charges(RunSpec one, RunSpec other) =>
        one.Document == other.Document && one.Workload.Kind == other.Workload.Kind && one.Container.Indexing == other.Container.Indexing;

    /// <summary>The latency parameters of a run on the simulated account.</summary>
    public static LatencyProfile LatencyOf(RunSpec spec) => spec.Simulation?.Latency ?? LatencyProfile.Default;

    /// <summary>A real account's latency: the quantiles of the run's attempts without the client's CPU.</summary>
    private static LatencyProfile Measured(RunReport report, double medianMs)
    {
        var measured = report.LatencyMs.Attempt;
        var shift = (measured.P50 ?? medianMs) - medianMs;
        List<LatencyQuantile> quantiles = [];
        foreach (var (probability, ms) in new[] { (0.5, measured.P50), (0.9, measured.P90), (0.95, measured.P95), (0.99, measured.P99) })
        {
            if (ms - shift is > 0 and var service && (quantiles.Count == 0 || service > quantiles[^1].Ms))
                quantiles.Add(new LatencyQuantile(probability, service));
        }

        // The lower half mirrors what is known of the upper one.
        if (quantiles.Count > 1)
            quantiles.Insert(0, new LatencyQuantile(0.1, quantiles[0].Ms * quantiles[0].Ms / quantiles[1].Ms));
        var median = Math.Max(medianMs, 0.001);
        return new LatencyProfile
        {
            WriteMedianMs = median, ReadMedianMs = median, PerKilobyteMs = 0, LoadFactor = 0,
            WriteQuantiles = quantiles.Count > 1 ? quantiles : null, ReadQuantiles = quantiles.Count > 1 ? quantiles : null,
        };
    }
}
