namespace ScaleOut.Tests.Shared.Experiments;

/// <summary>The plans repeat the published tables: the same settings, the same figures.</summary>
public sealed class PublishedFiguresTests
{
    [Fact]
    public void Plan_OfTheInserts_HasEveryRow()
    {
        var (spec, rows) = Read("insert-1m.json", "insert-1m.csv");

        Assert.Equal(17, rows.Count);
        for (var i = 0; i < rows.Count; i++)
        {
            var (row, run, published) = (rows[i], GridPlanner.FullPlanOf(spec, i), spec.Variants[i].Published!);
            Assert.Equal($"test {row["test"]}", spec.Variants[i].Name);
            Assert.Equal(
                row["connection_mode"].StartsWith("Direct", StringComparison.Ordinal) ? ConnectionMode.Direct : ConnectionMode.Gateway,
                run.Client.ConnectionMode);
            Assert.Equal(Number(row["concurrent_tasks"]), run.Client.Concurrency);
            Assert.Equal(Number(row["cores"]), run.Client.Cores);
            Assert.Equal(row["max_connections"] == "default" ? null : Number(row["max_connections"]), run.Client.MaxConnections);
            Assert.Equal(row["consistency"], run.Client.Consistency.ToString());
            Assert.Equal(row["indexing"], run.Container.Indexing.ToString());
            Assert.Equal(Number(row["provisioned_rus"]), run.Container.Throughput);
            Assert.Equal(Number(row["physical_partitions"]), run.Simulation!.PhysicalPartitions);
            Assert.Equal(
                row["low_latency_network"] == "true", run.Simulation.Latency!.RoundTripMs == LatencyProfile.SameRegion.RoundTripMs);
            Assert.Equal(1_000_000, run.Documents);
            Assert.Equal(Number(row["inserts_per_second"]), published.PerSecond);
            Assert.Equal(TimeSpan.TryParse(row["elapsed"], CultureInfo.InvariantCulture, out var elapsed) ? elapsed.TotalSeconds : null,
                published.Seconds);
        }
    }

    [Theory]
    [InlineData("ru-ladder.json", WorkloadKind.Bulk)]
    [InlineData("ru-ladder-delete.json", WorkloadKind.Delete)]
    public void Plan_OfALadder_HasEveryStep(string file, WorkloadKind kind)
    {
        var (spec, rows) = Read(file, "bulk-ru-ladder.csv");

        for (var i = 0; i < rows.Count; i++)
        {
            var (row, run, published) = (rows[i], GridPlanner.FullPlanOf(spec, i), spec.Variants[i].Published!);
            Assert.Equal((kind, true, Number(row["provisioned_rus"]), Number(row["documents"])),
                (run.Workload.Kind, run.Workload.UsesBulk, (double?)run.Container.Throughput, (double?)run.Documents));
            if (kind == WorkloadKind.Bulk)
                Assert.Equal((Number(row["documents_per_second"]), Number(row["seconds"])), (published.PerSecond, published.Seconds));
        }
    }

    [Fact]
    public void Plan_OfTheFlights_HasEveryRowOfCosmosDb()
    {
        var (spec, rows) = Read("flights-batches.json", "batch-flights.csv");

        Assert.Equal(4, rows.Count);
        for (var i = 0; i < 3; i++)
        {
            var (row, run) = (rows[i], GridPlanner.FullPlanOf(spec, i));
            Assert.Equal(Number(row["rows_per_batch"]), run.Workload.DocumentsPerOperation);
            Assert.Equal(Number(row["parallel_batches"]), run.Client.Concurrency);
            Assert.Equal(Number(row["columns"]), run.Document.Columns?.Count ?? 50);
            Assert.Equal(Number(row["provisioned_rus"]), run.Container.Throughput);
            Assert.Equal(row["indexing"], run.Container.Indexing.ToString());
            Assert.Equal(Number(row["p96_batch_ms"]), spec.Variants[i].Published!.LatencyP96Ms);
            Assert.Equal(Number(row["kilobytes_per_second"]), spec.Variants[i].Published!.KilobytesPerSecond);
        }

        var (tables, published) = (rows[3], spec.Variants.Single(variant => variant.Published?.Outcome == rows[3]["outcome"]));
        var ofTables = GridPlanner.FullPlanOf(spec, spec.Variants.ToList().IndexOf(published));
        Assert.Equal("Table storage", tables["store"]);
        Assert.Equal(
            (WorkloadKind.TableBatch, Number(tables["rows_per_batch"]), Number(tables["parallel_batches"]), Number(tables["columns"])),
            (ofTables.Workload.Kind, ofTables.Workload.DocumentsPerOperation, ofTables.Client.Concurrency,
                ofTables.Document.Columns!.Count));
    }

    [Fact]
    public void Plan_OfTheQuery_HasEveryStepOfTuning()
    {
        var (spec, rows) = Read("query-tuning.json", "query-tuning.csv");

        Assert.Equal(4, rows.Count);
        for (var i = 0; i < rows.Count; i++)
        {
            var (row, run, published) = (rows[i], GridPlanner.FullPlanOf(spec, i), spec.Variants[i].Published!);
            Assert.Equal(Number(row["provisioned_rus"]), run.Container.Throughput);
            Assert.Equal(Number(row["physical_partitions"]), run.Simulation!.PhysicalPartitions);
            Assert.Equal(Number(row["requests_per_second"]), published.PerSecond);
            Assert.Equal(Number(row["average_latency_ms"]), published.LatencyMeanMs);
            Assert.Equal(Number(row["rus_per_operation"]), published.RequestUnitsPerOperation);
            Assert.Equal(Number(row["calls_per_operation"]), published.CallsPerOperation);
            Assert.Equal(Number(row["throttled_requests"]), published.Throttled);
            Assert.Equal(TimeSpan.FromMinutes(8), run.Workload.Steps!.Aggregate(TimeSpan.Zero, (sum, step) => sum + step.Duration));
            Assert.Equal((1, 40), (run.Workload.Steps![0].Users, run.Workload.Steps[^1].Users));
        }
    }

    [Fact]
    public void Plan_OfTheSlowedQuery_TakesFourTimesAsLongAndIsOtherwiseTheSame()
    {
        const double times = 4;
        var (spec, _) = Read("query-tuning.json", "query-tuning.csv");
        var (slowed, _) = Read("query-tuning-slowed.json", "query-tuning.csv");
        var (run, slow) = (GridPlanner.FullPlanOf(spec, 0), GridPlanner.FullPlanOf(slowed, 0));
        var (latency, query) = (run.Simulation!.Latency!, ChargeModel.Default.Query);
        var slowQuery = ChargeSpec.ModelOf(slow.Simulation!.Charges).Query;

        Assert.Equal(run.Workload.ThinkTime * times, slow.Workload.ThinkTime);
        Assert.Equal(
            latency with
            {
                Name = null,
                RoundTripMs = latency.RoundTripMs * times,
                GatewayHopMs = latency.GatewayHopMs * times,
                WriteMedianMs = latency.WriteMedianMs * times,
                ReadMedianMs = latency.ReadMedianMs * times,
                PerKilobyteMs = latency.PerKilobyteMs * times,
                PerBatchOperationMs = latency.PerBatchOperationMs * times,
            },
            slow.Simulation.Latency);
        Assert.Equal(Of(query).Select(charge => Math.Round(charge * times, 4)), Of(slowQuery));
        Assert.True(JsonNode.DeepEquals(WithoutTimes(spec), WithoutTimes(slowed)));
        Assert.Equal(
            spec.Variants.Select(variant => (variant.Name, variant.Change.ToJsonString())),
            slowed.Variants.Select(variant => (variant.Name, variant.Change.ToJsonString())));
        Assert.Equal(
            spec.Findings.Select(finding => (finding.Kind, finding.Published)),
            slowed.Findings.Select(finding => (finding.Kind, finding.Published)));

        static IEnumerable<double> Of(QueryCharges charges) => typeof(QueryCharges).GetProperties()
            .Where(property => property.PropertyType == typeof(double)).Select(property => (double)property.GetValue(charges)!);
    }

    private static JsonObject WithoutTimes(ExperimentSpec spec)
    {
        var run = spec.Base.DeepClone().AsObject();
        run["workload"]!.AsObject().Remove("thinkTime");
        run["simulation"]!.AsObject().Remove("latency");
        run["simulation"]!.AsObject().Remove("charges");
        return run;
    }

    private static (ExperimentSpec Spec, IReadOnlyList<Dictionary<string, string>> Rows) Read(string file, string table)
    {
        var spec = ExperimentSpecReader
            .Read(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, file)), RunTarget.SimulatedAccount).Value!;
        var lines = File.ReadAllLines(Path.Combine(RepositoryFiles.Plans, "published", table));
        var names = lines[0].Split(',');
        var rows = lines.Skip(1)
            .Where(line => line.Length > 0)
            .Select(line => names.Zip(line.Split(',')).ToDictionary(pair => pair.First, pair => pair.Second));
        return (spec, [.. rows]);
    }

    private static double? Number(string cell) =>
        double.TryParse(cell, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : null;
}
