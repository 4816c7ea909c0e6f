using System.CommandLine;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.DevBox;
using ScaleOut.DevBox.Commands;
using ScaleOut.Experiments;
using ScaleOut.Measurement;
using ScaleOut.Profiles;
using ScaleOut.Specs;
using ScaleOut.Tests.Shared.Profiles;
using ScaleOut.Workers.Calibration;

namespace ScaleOut.Tests.DevBox.Commands;

public sealed class ProfileCheckTests
{
    /// <summary>
    /// However fast an account is, each run lasts long enough for a rate: its warm-up, the seconds that a rate needs, and one at each end
    /// that is no whole one.
    /// </summary>
    [Theory]
    [InlineData(ProfileCheck.FewestMinutes, RunTarget.OtherAccount)]
    [InlineData(ProfileCheck.FewestMinutes, RunTarget.SimulatedAccount)]
    [InlineData(CalibrationPlan.MostMinutes, RunTarget.SimulatedAccount)]
    public void SpecOf_AnyMinutes_HasRunsThatLeaveARate(double minutes, RunTarget target)
    {
        var profile = SampleProfiles.Create();
        var reading = ExperimentSpecReader.Read(ProfileCheck.SpecOf(profile, minutes), target);
        Assert.Empty(reading.Errors);
        var spec = reading.Value! with { Id = "check" };

        var runs = ExperimentRuns.From(spec).Select(run => run.Spec).ToList();

        Assert.Equal(3 * 5, runs.Count);
        Assert.All(runs, run =>
        {
            var duration = run.Workload.StepsDuration!.Value;
            Assert.Equal(2 * minutes, duration.TotalSeconds, 3);
            Assert.InRange((duration - run.Warmup).TotalSeconds, OverlapWindow.MinSeconds + 2, double.MaxValue);
            // Nor does it end early because it has no documents left.
            var units = RunEstimate.From(run with { Simulation = ProfileSimulation.From(profile) }).RequestUnits;
            Assert.InRange(units, 2 * run.Container.Throughput * duration.TotalSeconds, double.MaxValue);
        });
        var half = runs.Select(run => run.Workload.Steps![0].Rate).OfType<double>().Distinct().Single() * runs[0].Workers;
        var charge = RunEstimate.From(new RunSpec { Documents = 1, Simulation = ProfileSimulation.From(profile) }).RequestUnits;
        Assert.Equal(runs[0].Container.Throughput / 2.0, half * charge, 1.0);
    }

    [Fact]
    public async Task Calibrate_CheckThatIsTooShort_IsAnError()
    {
        var command = new CalibrateCommand().Create();
        var parsed = new RootCommand { command }.Parse(
            ["calibrate", "--account", "https://localhost:1", "--check", "there.json", "--minutes", "4.9"]);

        var error = await Assert.ThrowsAsync<InputException>(
            () => parsed.InvokeAsync(
                new InvocationConfiguration { EnableDefaultExceptionHandler = false }, TestContext.Current.CancellationToken));

        Assert.Contains("--minutes, with --check: '4.9' is not a number from 5 to 15.", error.Errors);
    }
}
