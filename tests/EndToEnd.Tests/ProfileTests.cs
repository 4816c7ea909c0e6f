namespace ScaleOut.Tests.EndToEnd;

/// <summary>A small calibration experiment on simulated accounts with other physics, and the profile that is made from it.</summary>
public sealed class ProfileTests : ProgramInFolder
{
    /// <summary>
    /// With Strong consistency the SDK reads from two replicas and a read is charged twice. A profile must hold the charge of one.
    /// </summary>
    private static readonly SimulationSpec Physics = new()
    {
        PhysicalPartitions = 1,
        Latency = new() { RoundTripMs = 30, GatewayHopMs = 15, WriteMedianMs = 20, ReadMedianMs = 8, LogStandardDeviation = 0.1 },
        Throttling = new ThrottlingSpec { RetryAfterMinMs = 50, RetryAfterMaxMs = 120 },
        Consistency = ConsistencyLevel.Strong,
        Charges = new ChargeSpec
        {
            ReadPoints = [new(1_024, 1.25), new(65_536, 6), new(1_048_576, 90)],
            WritePoints = [new(1_024, 7.3), new(65_536, 30), new(1_048_576, 300)],
            PerIndexEntry = 0.35,
        },
    };

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Profile_OtherPhysics_RecoversThemAndRunUsesTheProfile()
    {
        using var experiment = new InProcessExperiment(atOnce: 4);
        var spec = SmallCalibration();
        Assert.True(await new ExperimentFiles(new FolderRunStore(experiment.Folder), spec.Id!).TryClaimAsync(spec, Cancellation));
        var report = await experiment.RunAsync(spec);
        Assert.Equal(ExperimentState.Complete, report.State);

        var made = await CommandAsync("profile", spec.Id!, "--out", experiment.Folder, "--json", "my.json");

        AssertEnded(made);
        var profile = ProfileFile.Read(await File.ReadAllBytesAsync(In("my.json"), Cancellation));
        Assert.True(File.Exists(In("my.html")));
        AssertCharges(profile.Charges);
        Assert.Equal([new LayoutFigure(1_000, 1), new LayoutFigure(10_000, 1)], profile.Layout);
        Assert.InRange(profile.Throttling.RetryAfterMinMs!.Value, 50, 120);
        Assert.Equal(120, profile.Throttling.RetryAfterMaxMs!.Value);
        Assert.Equal(("127.0.0.1", "Strong", spec.Id), (profile.Account, profile.Consistency, profile.Experiment));
        Assert.Matches(@"^3\.\d+", profile.SdkVersion);
        Assert.Contains(profile.Notes, note => note.StartsWith("Reads asked two replicas", StringComparison.Ordinal));
        AssertLatencies(profile);
        await AssertRunUsesAsync(profile);
    }

    [Theory]
    [InlineData("missing", "there is no experiment 'missing' in runs.")]
    [InlineData("a-run", "there is no experiment 'a-run' in runs.")]
    [InlineData("claimed", "experiment 'claimed' has not ended; go on with: devbox resume claimed")]
    [InlineData("search", "'search' is a search for a limit; a profile is made from an experiment with variants.")]
    public async Task Profile_UnsuitableExperiment_IsOneError(string id, string error)
    {
        var store = new FolderRunStore(Runs);
        await new RunFiles(store, "a-run").TryClaimAsync(new RunSpec { Id = "a-run" }, Cancellation);
        string[] claimed =
            ["""{"id":"claimed","base":{},"variants":[{"name":"one"}]}""", """{"id":"search","base":{},"limit":{"until":"p99<20ms"}}"""];
        foreach (var json in claimed)
        {
            var reading = ExperimentSpecReader.Read(json, RunTarget.SimulatedAccount);
            Assert.Empty(reading.Errors);
            await new ExperimentFiles(store, reading.Value!.Id!).TryClaimAsync(reading.Value, Cancellation);
        }

        var program = await CommandAsync("profile", id);

        AssertRejected(program);
        Assert.Equal($"error: {error}", program.Errors.Trim());
        Assert.False(File.Exists(In("profile.json")));
    }

    [Fact]
    public async Task Calibrate_SeveralErrors_AreAllNamed()
    {
        var program = await CommandAsync("calibrate", "--account", "nowhere", "--repeats", "0", "--json", "there/profile.json");
        AssertRejected(program, "--account", "repeats: 0", "--json: there is no folder");
    }

    [Theory]
    [InlineData("run")]
    [InlineData("account")]
    [InlineData("experiment", "plan.json")]
    public async Task AnyCommand_DamagedProfile_IsRejected(params string[] command)
    {
        var content = ProfileFile.Write(SampleProfiles.Create());
        await File.WriteAllBytesAsync(In("profile.json"), content[..^20], Cancellation);
        await WriteAsync("plan.json", """{"base":{},"variants":[{"name":"one"}]}""");
        var program = await CommandAsync([.. command, "--profile", "profile.json"]);

        AssertRejected(program, "--profile: profile.json cannot be used: it is no valid JSON");
    }

    /// <summary>The repository's plan with fewer operations, no rates and short steps.</summary>
    private static ExperimentSpec SmallCalibration()
    {
        var fields = JsonNode.Parse(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, "calibration.json")))!.AsObject();
        fields.Remove("$schema");
        SpecEdit.Set(fields, "id", "small");
        SpecEdit.Set(fields, "repeats", 2);
        SpecEdit.Set(fields, "base.documents", 100);
        SpecEdit.Set(fields, "base.simulation", JsonSerializer.SerializeToNode(Physics, ScaleOutJson.Compact)!);
        fields["base"]!["client"]!.AsObject().Remove("rate");
        foreach (var change in fields["variants"]!.AsArray().Select(variant => variant!["change"]?.AsObject()).OfType<JsonObject>())
        {
            change.Remove("documents");
            change["client"]?.AsObject().Remove("rate");
            if (change["workload"]?["steps"] is not JsonArray steps)
                continue;
            change["documents"] = 20_000;
            foreach (var step in steps)
                step!["duration"] = "00:00:02";
        }

        var reading = ExperimentSpecReader.Read(fields.ToJsonString(), RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        return reading.Value!;
    }

    private static void AssertCharges(ChargeFigures figures)
    {
        var truth = ChargeSpec.ModelOf(Physics.Charges);
        Assert.Equal((3, 3), (figures.Reads.Count, figures.Writes.Count));
        Assert.Equal([819L, 16_179, 61_235], figures.Writes.Select(write => write.Bytes));
        Assert.All(figures.Reads, read => Assert.Equal(truth.Read(read.Bytes).Rounded().Value, read.RequestUnits.Value, 6));
        Assert.All(figures.Writes, write => Assert.Equal(truth.Create(write.Bytes, 0).Rounded().Value, write.RequestUnits.Value, 6));
        Assert.True(figures.PerIndexEntry!.Covers(Physics.Charges!.PerIndexEntry!.Value), $"{figures.PerIndexEntry}");
        Assert.InRange(figures.PerIndexEntry.Value, 0.35 * 0.995, 0.35 * 1.005);
        var check = Assert.Single(figures.Checks);
        Assert.Equal(check.Measured, check.Predicted, 0.1);
    }

    /// <summary>A busy machine makes no latency shorter than the simulated one. A latency that could not be measured is named.</summary>
    private static void AssertLatencies(AccountProfile profile)
    {
        if (profile.Latency.RoundTripMs is not { } roundTrip)
        {
            Assert.Contains(profile.Notes, note => note.StartsWith("Not measured: network round trip.", StringComparison.Ordinal));
            return;
        }

        Assert.InRange(roundTrip.Value, Physics.Latency!.RoundTripMs, double.MaxValue);
        // A median of so few operations deviates by some percent.
        if (profile.Latency.Write is { } write)
            Assert.InRange(roundTrip.Value + write.MedianMs.Value, 30 + (0.9 * Physics.Latency.WriteMedianMs), double.MaxValue);
        if (profile.Latency.Read is { } read)
            Assert.InRange(roundTrip.Value + read.MedianMs.Value, 30 + (0.9 * Physics.Latency.ReadMedianMs), double.MaxValue);
    }

    private async Task AssertRunUsesAsync(AccountProfile profile)
    {
        using var run = await RunAsync("run", "--documents", "200", "--workers", "1", "--id", "measured", "--profile", "my.json");

        AssertEnded(run);
        Assert.Contains($"profile {profile.Name}: {profile.Account}", run.Output, StringComparison.Ordinal);
        var simulation = Finished("measured").Report.Spec.Simulation!;
        Assert.Equal((profile.Name, 1), (simulation.Profile!.Name, simulation.PhysicalPartitions));
        var first = profile.Charges.Writes[0];
        Assert.Equal(first.RequestUnits.Value, ChargeSpec.ModelOf(simulation.Charges).Create(first.Bytes, 0).Rounded().Value, 6);
    }
}
