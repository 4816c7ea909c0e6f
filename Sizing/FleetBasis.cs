namespace ScaleOut.Sizing;

[JsonConverter(typeof(CamelCaseEnumConverter<FigureOrigin>))]
public enum FigureOrigin
{
    /// <summary>A run measured it.</summary>
    Measured,

    /// <summary>An option or the spec states it, or it is a default of the simulated account.</summary>
    Assumed,
}

/// <param name="Value">The figure with its unit.</param>
/// <param name="Source">The run, option or default that the figure comes from.</param>
public sealed record BasisFigure(string Name, string Value, FigureOrigin Origin, string Source);

/// <summary>The basis of a fleet's simulation: its spec, and figures about its clients that a run measured or options state.</summary>
internal sealed record FleetBasis
{
    private static readonly TimeSpan OverheadDuration = TimeSpan.FromSeconds(20);

    private const long OverheadOperations = 500_000;
    private const int SampledDocuments = 200;

    public required RunSpec Spec { get; init; }

    /// <summary>RU of one document; with queries, on one partition.</summary>
    public required double ChargePerDocument { get; init; }

    /// <summary>What the spec's queries take; null if it has none.</summary>
    public QueryEffort? Queries { get; init; }

    /// <summary>Documents that are stored, which decide what queries find.</summary>
    public double Stored { get; init; }

    /// <summary>Mean size of a document, in bytes of JSON.</summary>
    public required int BytesPerDocument { get; init; }

    public required LatencyProfile Latency { get; init; }

    /// <summary>CPU time of the client for each attempt, ms; null if unknown.</summary>
    public required double? CpuMsPerAttempt { get; init; }

    /// <summary>Time of each attempt in addition to CPU and physics, ms.</summary>
    public double OverheadMs { get; init; }

    public required IReadOnlyList<BasisFigure> Figures { get; init; }

    /// <summary>Whether latency and charge come from a run on a real account.</summary>
    public bool IsReal { get; init; }

    /// <summary>What a reader must know before trusting the figures.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>A basis without a run: the simulated account's physics, and CPU and overhead as stated.</summary>
    public static FleetBasis From(RunSpec spec, double? cpuMs, double? overheadMs)
    {
        var bytes = BytesOf(spec);
        var queries = QuerySample.From(spec, bytes);
        var charge = ModelOf(spec, bytes, queries?.At(StoredOf(spec), partitions: 1));
        return new()
        {
            Spec = spec,
            ChargePerDocument = charge,
            Queries = queries,
            Stored = StoredOf(spec),
            BytesPerDocument = bytes,
            Latency = LatencyOf(spec),
            CpuMsPerAttempt = cpuMs,
            OverheadMs = overheadMs ?? 0,
            Figures =
            [
                DocumentOf(spec, bytes),
                new("charge", UnitsText(charge, queries), FigureOrigin.Assumed, "the simulated account's charges"),
                new("latency", LatencyText(spec), FigureOrigin.Assumed, "the simulated account's"),
                .. cpuMs is { } stated ? [Stated("CPU", stated)] : Array.Empty<BasisFigure>(),
                .. overheadMs is { } overhead ? [Stated("overhead", overhead)] : Array.Empty<BasisFigure>(),
                CoresOf(spec),
                Bandwidth,
            ],
        };
    }

    /// <param name="cpuMs">CPU per operation; null for what the run measured.</param>
    /// <param name="overheadMs">Overhead; null for what the run measured.</param>
    /// <param name="own">
    /// Whether <c>size</c> made the run itself, on this machine. Such a run is used even if the machine was busy, with a warning.
    /// </param>
    /// <exception cref="InputException">The run cannot be a basis; the error says which run to make instead.</exception>
    public static FleetBasis From(RunReport report, RunSpec spec, double? cpuMs, double? overheadMs, bool own = false)
    {
        var (used, medianMs) = MeasuredIn(report, own);
        var busy = WhyMachineBusy(report);
        var assumed = From(spec, cpuMs ?? used.WorkerMs, overheadMs: null);
        var measuredCharge = assumed.Queries is null && Charges(report.Spec, spec) ? report.RequestUnits.PerInsert : null;
        var result = assumed with
        {
            ChargePerDocument = measuredCharge ?? assumed.ChargePerDocument,
            Latency = report.Simulated ? assumed.Latency : Measured(report, medianMs - used.WorkerMs),
            IsReal = !report.Simulated,
        };
        var measuresOverhead = report.Simulated && busy is null;
        var overhead = overheadMs ?? (measuresOverhead ? result.OverheadOf(report, used.WorkerMs, medianMs) : 0);
        var run = own
            ? "a run of one worker on one core of this machine"
            : $"run {report.Id}{(report.Simulated ? ", on the simulated account" : "")}";
        var units = UnitsText(result.ChargePerDocument, result.Queries);
        return result with
        {
            OverheadMs = overhead,
            Figures =
            [
                DocumentOf(spec, result.BytesPerDocument),
                measuredCharge is null || report.Simulated
                    ? new("charge", units, FigureOrigin.Assumed, "the simulated account's charges")
                    : new("charge", units, FigureOrigin.Measured, run),
                report.Simulated
                    ? new("latency", LatencyText(spec), FigureOrigin.Assumed, "the simulated account's")
                    : new("latency", $"p50 {Numbers.Brief(medianMs)} ms", FigureOrigin.Measured, $"quantiles of the {run}"),
                cpuMs is { } stated
                    ? Stated("CPU", stated) with { Source = $"as stated; the {run} measured {Numbers.Brief(used.WorkerMs)} ms" }
                    : new("CPU", Milliseconds(used.WorkerMs), FigureOrigin.Measured, $"{run}, {used.When}"),
                OverheadFigure(overhead, isStated: overheadMs is not null, measuresOverhead ? run : null),
                CoresOf(spec),
                Bandwidth,
            ],
            Notes = [.. own && busy is not null ? [BusyNote(busy)] : Array.Empty<string>(), .. NotesOf(report, spec)],
        };
    }

    /// <summary>What a run measured that a fleet is simulated from.</summary>
    private static (MeasuredCpu Cpu, double MedianMs) MeasuredIn(RunReport report, bool own)
    {
        if (FleetSpecs.ErrorsOf(report.Spec).ToList() is { Count: > 0 } errors)
            throw new InputException([.. errors.Select(error => InputError.Of("run", $"run {report.Id}: {error}"))]);
        if (MeasuredCpu.From(report) is not { } used || report.LatencyMs.Attempt.P50 is not { } medianMs)
            throw new InputException(InputError.Of("run", $"The run {report.Id} measured nothing that a fleet can be simulated from."));
        if (!own && (WhyMachineBusy(report) ?? WhyNoLatency(report, medianMs - used.WorkerMs)) is { } reason)
        {
            throw new InputException(InputError.Of(
                "run",
                $"The run {report.Id} cannot be a basis: {reason}. Make it again with --workers 1 --cores 1 (client.cores) and fewer "
                    + "operations in flight, on a machine that does nothing else."));
        }

        return (used, medianMs);
    }

    /// <param name="measuredBy">The run that shows it; null if none does.</param>
    private static BasisFigure OverheadFigure(double ms, bool isStated, string? measuredBy) =>
        isStated ? Stated("overhead", ms)
        : measuredBy is null ? new("overhead", Milliseconds(ms), FigureOrigin.Assumed, "not measured")
        : new("overhead", Milliseconds(ms), FigureOrigin.Measured,
            $"{measuredBy}: by so much its median is above that of its own simulation");

    private static string BusyNote(string busy) =>
        $"This machine was busy while it was measured: {busy}. The CPU of an operation may be less, and then the fleet smaller: measure "
            + "again on an idle machine, or give --cpu-per-operation.";

    /// <summary>The same workers in another mode, or with the SDK's bulk mode. Their CPU stays that of the run.</summary>
    public FleetBasis With(ConnectionMode mode, bool bulk) => this with
    {
        Spec = Spec with
        {
            Client = Spec.Client with { ConnectionMode = mode },
            Workload = bulk ? Spec.Workload with { Kind = WorkloadKind.Bulk } : Spec.Workload,
        },
    };

    /// <summary>RU of one document if the container has so many partitions: a query of all of them costs more on more.</summary>
    public double ChargeOn(int partitions) =>
        Queries is null ? ChargePerDocument : ModelFactor * ModelOf(Spec, BytesPerDocument, PagesOn(partitions));

    /// <summary>RU of an operation of a kind.</summary>
    public double ChargeOf(WorkloadKind kind, int partitions) =>
        ModelFactor * ModelOf(Spec, kind, BytesPerDocument, PagesOn(partitions));

    /// <summary>The pages of a query; null if the spec has none.</summary>
    public QueryPages? PagesOn(int partitions) => Queries?.At(Stored, partitions);

    /// <summary>
    /// Mean of a figure over the operations of a fleet: that of its queries, and 1 for each other operation. An action has the sum of its
    /// steps.
    /// </summary>
    public double MeanOn(int partitions, Func<QueryPages, double> figureOf) => PagesOn(partitions) is not { } pages
        ? Spec.Workload.Action?.Count ?? 1
        : Spec.Workload.Shares.Sum(one => one.Share * (one.Kind == WorkloadKind.Query ? figureOf(pages) : 1));

    /// <summary>The same with so many documents stored.</summary>
    public FleetBasis Storing(double documents)
    {
        if (Queries is null || documents == Stored)
            return this;
        var other = this with { Stored = documents };
        return other with { ChargePerDocument = ChargePerDocument * other.ModelCharge / ModelCharge };
    }

    /// <summary>What the charges are over those of the simulated account.</summary>
    private double ModelFactor => ChargePerDocument / ModelCharge;

    /// <summary>RU of one document by the simulated account's charges, on one partition.</summary>
    private double ModelCharge => ModelOf(Spec, BytesPerDocument, PagesOn(partitions: 1));

    /// <summary>Documents that a run of the spec has before it reads.</summary>
    public static long StoredOf(RunSpec spec) => spec.Workload.Preload ?? spec.Documents;

    /// <summary>RU of the mean operation by the simulated account's charges.</summary>
    private static double ModelOf(RunSpec spec, int bytes, QueryPages? pages) =>
        spec.Workload.Shares.Sum(one => one.Share * ModelOf(spec, one.Kind, bytes, pages));

    private static double ModelOf(RunSpec spec, WorkloadKind kind, int bytes, QueryPages? pages) =>
        kind == WorkloadKind.Query && pages is not null ? pages.Units : RunEstimate.ChargeOf(spec, kind, bytes);

    /// <summary>
    /// Why the machine was too busy for a run's CPU and latency to be those of workers with cores of their own; null if it was not.
    /// </summary>
    private static string? WhyMachineBusy(RunReport report)
    {
        var figures = RunFigures.From(report);
        if (figures.BoundByMachine || figures.OnSaturatedMachine)
            return $"{Numbers.Percent(figures.MachineShare)} of the machine's cores were busy, so that processes took them from each other";
        return figures.DelaysSlipped ? DelayReport.BusyMachine : figures.Waited ? "its attempts waited for the clients' CPU" : null;
    }

    /// <summary>Why a real account's latency cannot be taken from a run; null if it can.</summary>
    private static string? WhyNoLatency(RunReport report, double accountMs)
    {
        if (report.Simulated)
            return null;
        if (!(accountMs > 0))
            return $"its median latency without the client's CPU is {Numbers.Brief(accountMs)} ms, which no round trip can be";
        return report.Utilization?.Client > FleetForecast.MaxClientShare
            ? $"its clients used {Numbers.Percent(report.Utilization.Client)} of their cores, so that its latencies are waits for the CPU"
            : null;
    }

    /// <summary>Mean size of the documents that a run of the spec writes.</summary>
    /// <exception cref="InputException">The documents cannot be made.</exception>
    private static int BytesOf(RunSpec spec)
    {
        // A sample of all kinds together would have the rare ones by chance.
        if (spec.Document.Kinds is not null)
            return (int)Math.Round(DocumentMix.ByKind(spec).Sum(one => one.Share * BytesOf(one.Spec)));
        try
        {
            var documents = DocumentSources.For(spec, "sized");
            // Of a file all rows have been read.
            if (spec.Document.Kind == DocumentKind.Csv)
                return DocumentShape.From(spec.Document).Bytes;
            var numbers = Enumerable.Range(0, SampledDocuments).Select(number => (long)number);
            return (int)Math.Round(DocumentSources.SizesOf(documents, numbers).Average());
        }
        catch (DocumentException e)
        {
            throw new InputException([.. e.Errors]);
        }
    }

    private static BasisFigure DocumentOf(RunSpec spec, int bytes) => new(
        "document",
        $"{Numbers.Count(bytes)} bytes, " + (spec.Document.Kinds is { } kinds
            ? $"the mean of {Words.Amount(kinds.Count, "kind")}" : Words.Amount(RunEstimate.IndexEntriesOf(spec).Total, "index entry")),
        FigureOrigin.Measured,
        spec.Document.Kind == DocumentKind.Csv ? "the mean of the file's rows" : $"{SampledDocuments} documents as a run writes them");

    private static IEnumerable<string> NotesOf(RunReport report, RunSpec spec)
    {
        if (report.Spec.Workload.Kind != spec.Workload.Kind)
            yield return $"CPU and latency were measured with the workload {FleetForecast.NameOf(report.Spec.Workload.Kind)}";
        else if (!report.Spec.Workload.HasStepsOf(spec.Workload))
            yield return "CPU and latency were measured with the action "
                + string.Join(", ", report.Spec.Workload.Action!.Select(FleetForecast.NameOf));
        if (report.Spec.SettingsOf(0).ConnectionMode != spec.SettingsOf(0).ConnectionMode)
            yield return $"CPU and latency were measured in {report.Spec.SettingsOf(0).ConnectionMode} mode";
    }

    /// <summary>By how much the median attempt of a run was longer than in a simulation of the same run, ms.</summary>
    private double OverheadOf(RunReport report, double cpuMs, double measuredMs)
    {
        var same = this with { Spec = report.Spec, Latency = LatencyOf(report.Spec), CpuMsPerAttempt = cpuMs };
        var simulated = VirtualFleet.Simulate(FleetSpecs.From(same, Math.Max(1, report.Partitions.Count)) with
        {
            Cores = MeasuredCpu.CoresOf(report),
            Duration = OverheadDuration,
            MaxOperations = OverheadOperations,
        });
        return Math.Max(0, measuredMs - (simulated.Attempt.PercentileMs(50) ?? measuredMs));
    }

    /// <summary>Documents of several kinds are equal only by their text.</summary>
    private static string TextOf(DocumentSpec document) => JsonSerializer.Serialize(document, ScaleOutJson.Compact);

    /// <summary>Whether operations of two specs are charged alike.</summary>
    private static bool Charges(RunSpec one, RunSpec other) =>
        TextOf(one.Document) == TextOf(other.Document) && one.Workload.Kind == other.Workload.Kind && one.Workload.Mix == other.Workload.Mix
        && one.Workload.HasStepsOf(other.Workload)
        && RunEstimate.IndexEntriesOf(one) == RunEstimate.IndexEntriesOf(other);

    /// <summary>The latency parameters of a run on the simulated account.</summary>
    private static LatencyProfile LatencyOf(RunSpec spec) => spec.Simulation?.Latency ?? LatencyProfile.SameRegion;

    private static string UnitsText(double charge, QueryEffort? queries) =>
        $"{Numbers.Brief(charge)} RU each{(queries is null ? "" : ", on one partition")}";

    private static string LatencyText(RunSpec spec)
    {
        var (latency, settings) = (LatencyOf(spec), spec.SettingsOf(0));
        var serviceMs = RunEstimate.MedianServiceMs(latency, spec, settings) / RunEstimate.RequestsPerOperation(spec);
        return $"p50 {Numbers.Brief(latency.NetworkMs(settings.ConnectionMode) + serviceMs)} ms";
    }

    private static BasisFigure CoresOf(RunSpec spec) => new(
        "cores", $"{Words.Amount(spec.SettingsOf(0).Cores ?? 1, "core")} each", FigureOrigin.Assumed,
        spec.SettingsOf(0).Cores is null ? "--cores states others" : "as stated");

    private static BasisFigure Bandwidth { get; } = new(
        "bandwidth", $"{Numbers.Brief(FleetForecast.MaxSentPerCore / 1e6)} MB/s sent for each core", FigureOrigin.Assumed,
        "what Azure states for a machine of one core");

    private static BasisFigure Stated(string name, double ms) => new(name, Milliseconds(ms), FigureOrigin.Assumed, "as stated");

    private static string Milliseconds(double ms) => $"{Numbers.Brief(ms)} ms an attempt";

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

        // The quantile below the median mirrors the next one above it, because the report has none below.
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

/// <summary>CPU time of the client for each attempt, as a run measured it.</summary>
/// <param name="When">The part of the run that was measured, as words for a sentence.</param>
internal sealed record MeasuredCpu(double WorkerMs, string When)
{
    /// <summary>
    /// Uses the seconds in which all workers were at work after the warm-up, as rates and latencies do. Code is compiled during the
    /// warm-up. If a run has no such seconds, all of its time is used. Null if the run measured no CPU.
    /// </summary>
    public static MeasuredCpu? From(RunReport report)
    {
        var seconds = report.Workers.Sum(worker => worker.CpuSeconds);
        if (report.Requests.Attempts == 0 || seconds <= 0)
            return null;
        var attempts = report.Series.Where(point => point.Overlap).Sum(point => point.Counts.Attempts);
        if (report.Throughput.OverlapPerSecond is null || attempts <= 0 || report.Utilization?.Client is not > 0)
            return new MeasuredCpu(seconds * 1000 / report.Requests.Attempts, "over the whole run");

        // The report has the busiest worker's share; the others follow by their CPU time.
        var busy = report.Utilization.Client.Value * CoresOf(report) * seconds / report.Workers.Max(worker => worker.CpuSeconds);
        return new MeasuredCpu(busy * report.Throughput.OverlapSeconds * 1000 / attempts, "past the warm-up");
    }

    /// <summary>Cores that each of a run's workers could use.</summary>
    public static int CoresOf(RunReport report) => Math.Max(1, report.Workers.Max(worker => worker.Machine?.Cores ?? 1));
}
