using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Measurement;
using ScaleOut.Simulator.Prediction;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Prediction;

/// <summary>
/// A run in virtual time: its clients as they were measured (CPU, overhead, load, requests of an operation), its account with the physics
/// of a spec. It lasts as long as the measured seconds of the run, or until its rate is steady.
/// </summary>
internal sealed class VirtualRun
{
    /// <summary>Longest time past warm-up; a client in bulk mode needs most of it until it has all its requests under way.</summary>
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(60);

    /// <summary>Operations from which on a steady rate is enough.</summary>
    private const long EnoughOperations = 50_000;

    private readonly RunReport _report;
    private readonly RunFigures _measured;
    private readonly PredictionBase _base;

    /// <param name="report">Of a run of which <see cref="WhyNot"/> says nothing.</param>
    /// <exception cref="InputException">The run has nothing measured.</exception>
    public VirtualRun(RunReport report)
    {
        var operations = report.Spec.Documents / report.Spec.Workload.DocumentsPerOperation;
        _base = PredictionBase.From(report, report.Spec, cpuMs: null, overheadMs: null, KeySpread.From(report.Spec, operations));
        // The series of a long run are not needed any more.
        _report = report with
        {
            Series = [], Partitions = [], Workers = [.. report.Workers.Select(worker => worker with { PerSecond = [] })],
        };
        _measured = RunFigures.From(report);
    }

    /// <summary>What of a spec cannot be simulated in virtual time, in a few words; null where all of it can.</summary>
    public static string? WhyNot(RunSpec spec) => spec switch
    {
        { Workload.Kind: WorkloadKind.TableBatch } => "Table storage has no physics here",
        { Container.Name: not null } => "the RU/s of a named container are not known",
        { WorkerOverrides.Count: > 0 } => "its workers differ (workerOverrides)",
        { Workload.IsPaced: true } => "its workers keep to RU/s of their own",
        _ => FleetSpecs.PhysicsLeftOut(spec).Select(field => $"it uses {field}").FirstOrDefault(),
    };

    /// <summary>The figures that the run would have had.</summary>
    /// <param name="spec">The run's but for its id and seed, with the physics to simulate.</param>
    public RunFigures Simulate(RunSpec spec)
    {
        spec = spec with { Id = _report.Id, Seed = _report.Spec.Seed };
        var fleet = FleetOf(spec);
        var result = VirtualFleet.Simulate(fleet);
        var forecast = FleetForecast.From(spec, result, [], prices: null);
        var used = Used(forecast, result);
        return _measured with
        {
            Rate = forecast.PerSecond,
            RequestUnitsPerSecond = forecast.RequestUnitsPerSecond,
            RequestUnitsPerOperation = fleet.ChargePerDocument * (fleet.Query?.Pages ?? 1),
            CallsPerOperation = _measured.CallsPerOperation is null || result.Ended == 0
                ? _measured.CallsPerOperation
                : (result.Attempts / (double)result.Ended) + (fleet.Query?.Plans ?? 0),
            MeanLatencyMs = forecast.OperationMs.Mean,
            P50LatencyMs = forecast.OperationMs.P50,
            P96LatencyMs = forecast.OperationMs.P96,
            P99LatencyMs = forecast.OperationMs.P99,
            StepRates = [.. result.StepRates.Select(rate => (double?)rate)],
            BoundBy = BoundByRule.Decide(used),
            ThrottledShare = result.ThrottledShare,
            MachineShare = used.Machine,
            KilobytesPerSecond = _measured.KilobytesPerSecond * forecast.PerSecond / _measured.Rate,
            LayoutIsCapped = fleet.Throughput / fleet.Partitions > SimulationSpec.MostRequestUnitsPerPartition
                || (_measured.LayoutIsCapped && spec.Simulation?.PhysicalPartitions is null),
        };
    }

    private FleetSpec FleetOf(RunSpec spec)
    {
        var partitions = (spec.Simulation ?? new SimulationSpec()).PartitionsFor(spec.Container);
        var pages = _base.PagesPerOperation * PagesFactor(spec, partitions);
        var known = _base with
        {
            Spec = spec,
            Latency = PredictionBase.LatencyOf(spec),
            PagesPerOperation = pages,
            ItemsPerPage = pages is null ? 1 : _base.ItemsPerPage * _base.PagesPerOperation!.Value / pages.Value,
            ChargePerDocument = ChargeOf(spec, pages),
        };
        var seconds = TimeSpan.FromSeconds(Math.Max(OverlapWindow.MinSeconds, _report.Throughput.OverlapSeconds));
        return FleetSpecs.OnMachineOf(_report, FleetSpecs.From(known, partitions), _base.AccountCpuMsPerAttempt) with
        {
            Warmup = spec.Warmup,
            Duration = spec.Workload.StepsDuration ?? spec.Warmup + (seconds < Longest ? seconds : Longest),
            MostOperations = EnoughOperations,
        };
    }

    /// <summary>A query over all partitions asks each of them for as many pages as before.</summary>
    private double PagesFactor(RunSpec spec, int partitions) => spec.Workload.Query is { PartitionKey: null }
        ? partitions / (double)(_report.Spec.Simulation ?? new SimulationSpec()).PartitionsFor(_report.Spec.Container)
        : 1;

    /// <summary>
    /// What was measured, times what the drawn charges change of it; of a query only its pages change, not the documents that it loads.
    /// </summary>
    private double? ChargeOf(RunSpec spec, double? pages)
    {
        if (_base.ChargePerDocument is not { } measured)
            return null;
        if (pages is null)
            return measured * PredictedRate.ChargeOf(spec) / PredictedRate.ChargeOf(_report.Spec);
        var strong = spec.Client.Consistency ?? spec.Simulation?.Consistency;
        var factor = strong?.AsksTwoReplicas() == true ? Charges.ChargeModel.StrongReadFactor : 1;
        double PagesOf(RunSpec run, double count) => count * ChargeSpec.ModelOf(run.Simulation?.Charges).QueryPage(lookups: 1) * factor;
        var change = PagesOf(spec, pages.Value) - PagesOf(_report.Spec, _base.PagesPerOperation!.Value);
        return Math.Max(0.01, measured + change);
    }

    /// <summary>How near the limits are, by the cores that the run's workers and account had, and what others used of them.</summary>
    private Utilization Used(FleetForecast forecast, FleetResult result)
    {
        var fleet = result.Spec;
        var (cores, all) = (MeasuredCpu.CoresOf(_report), MeasuredCpu.MachineCoresOf(_report));
        var others = _report.Utilization?.MachineByOthers ?? 0;
        if (fleet.SharesCores)
        {
            var workers = fleet.CpuMsPerAttempt / Math.Max(double.Epsilon, fleet.CpuMsPerAttempt + fleet.AccountCpuMsPerAttempt);
            return forecast.Utilization with
            {
                Client = Math.Min(1, result.ClientCpu * workers * all / (fleet.Workers * cores)),
                Machine = Math.Min(1, result.ClientCpu + others),
            };
        }

        var account = _base.AccountCpuMsPerAttempt * result.Attempts / Math.Max(1, result.Sample.Seconds) / 1000;
        return forecast.Utilization with
        {
            Machine = _measured.MachineShare is null ? null
                : Math.Min(1, (((result.ClientCpu * fleet.Workers * cores) + account) / Math.Max(all, fleet.Workers * cores)) + others),
        };
    }
}
