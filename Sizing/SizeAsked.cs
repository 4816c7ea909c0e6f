namespace ScaleOut.Sizing;

/// <summary>The options of <c>size</c>, read without errors.</summary>
/// <param name="Report">The run that the fleet is sized from; null for a spec.</param>
/// <param name="Fields">Fields of the spec as JSON, with the options applied.</param>
public sealed record SizeAsked(RunSpec Spec, RunReport? Report, JsonObject Fields, PriceList Prices)
{
    /// <summary>Null if a number of workers is given.</summary>
    public SizeQuestion? Question { get; init; }

    /// <summary>Virtual time of a fleet of given workers.</summary>
    public TimeSpan Duration { get; init; }

    public double? CpuMs { get; init; }

    public double? OverheadMs { get; init; }

    public required string StartedBy { get; init; }

    private const long MaxOperationsOfDependence = 1_000_000;

    /// <summary>Simulates the fleets.</summary>
    /// <param name="measureAsync">
    /// Makes a run that measures the CPU of an operation on this machine. Used if neither an option nor a report gives it.
    /// </param>
    /// <exception cref="InputException">The fleet cannot be simulated, or no container has its RU/s.</exception>
    /// <exception cref="OperationCanceledException">Simulations stop within milliseconds.</exception>
    public async Task<SizeResult> RespondAsync(Func<RunSpec, Task<RunReport>> measureAsync, CancellationToken cancellationToken)
    {
        var report = Report;
        var own = report is null && CpuMs is null;
        if (own && (Spec.Workload.Kind.NeedsDocuments() || Spec.Workload.HasQueries || Spec.Workload.Action is not null))
            throw new InputException(
                "--cpu-per-operation",
                "give it, or the report of a run; only inserts, upserts, batches and bulk are measured here, and mixes without queries.");
        if (own)
            report = await measureAsync(OwnMeasurement.SpecFor(Spec));
        var basis = report is null
            ? FleetBasis.From(Spec, CpuMs, OverheadMs)
            : FleetBasis.From(report, Spec, CpuMs, OverheadMs, own);
        var result = await Task.Run(
            () => Question is { } question ? FleetSearch.Find(basis, question, cancellationToken) : Simulate(basis, cancellationToken),
            cancellationToken);
        return result with
        {
            Spec = Spec,
            StartedBy = StartedBy,
            Program = SoftwareNames.Program,
            Machines = report is null ? [] : MachineKind.From(report),
        };
    }

    private SizeResult Simulate(FleetBasis basis, CancellationToken cancellationToken)
    {
        var spec = basis.Spec;
        var fleet = FleetSpecs.From(basis, RunEstimate.PartitionsOf(spec, basis.BytesPerDocument)) with { Duration = Duration };
        FleetForecast Simulated(FleetSpec one) => FleetForecast.From(VirtualFleet.Simulate(one, cancellationToken));
        FleetForecast IfCpuWere(double factor) => Simulated(fleet with
        {
            CpuMsPerAttempt = fleet.CpuMsPerAttempt * factor,
            Duration = TimeSpan.FromMinutes(1),
            MaxOperations = MaxOperationsOfDependence,
        });
        var settings = new FleetSettings(
            fleet.ConnectionMode, fleet.Bulk, fleet.Workers, fleet.Concurrency, spec.Container.Throughput, fleet.Partitions);
        return new SizeResult
        {
            Settings = settings,
            ConnectionsPerWorker = SizeConnections.PerWorker(spec, settings),
            Fleet = Simulated(fleet),
            Cost = MonthCost.From(Prices, new(
                spec.Workers * (spec.SettingsOf(0).Cores ?? 1), fleet.Throughput,
                spec.Documents * (double)basis.BytesPerDocument / 1e9)),
            Dependences =
            [
                .. new[] { 0.5, 2 }.Where(_ => fleet.CpuMsPerAttempt > 0).Select(factor => (Factor: factor, Forecast: IfCpuWere(factor)))
                    .Select(one => new Dependence(
                        DependsOn.Cpu,
                        $"CPU of an operation {Numbers.Brief(fleet.CpuMsPerAttempt * one.Factor)} ms "
                            + (one.Factor < 1 ? "(half)" : "(twice)"),
                        $"{Numbers.Brief(one.Forecast.PerSecond)} documents/s, " + (one.Forecast.PromisesLatency
                            ? $"p99 {Numbers.Brief(one.Forecast.OperationMs.P99)} ms"
                            : $"no latency promised: {Numbers.Percent(one.Forecast.Utilization.Client)} of the clients' cores"))),
            ],
            Basis =
            [
                .. basis.Figures,
                .. new[] { QuerySample.FigureOf(SizeSentences.QueryName, basis, basis.Stored, fleet.Partitions) }.OfType<BasisFigure>(),
            ],
            IsReal = basis.IsReal,
            Notes = [SizeConnections.Describe(spec, settings), .. basis.Notes, .. FleetSpecs.LeftOutOf(spec)],
        };
    }
}
