using ScaleOut.Simulator.Accounts;
using ScaleOut.Specs;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Calibration;

namespace ScaleOut.Tests.Workers.Calibration;

public sealed class AccountCalibrationTests
{
    [Fact]
    public async Task LeftContainer_FromItsCreationToItsDeletion_IsNamed()
    {
        var physics = new SimulationSpec { Latency = LatencyProfile.None };
        await using var account = await SimulatedAccount.StartAsync(
            SimulatedAccountOptions.From(physics, seed: 1), TestContext.Current.CancellationToken);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        AccountCalibration? calibration = null;
        string? created = null, left = null;
        // The reference account is another container of the same one.
        calibration = new AccountCalibration(
            account.Connection(), account.Connection(), new CalibrationPlan(CalibrationPlan.FewestMinutes), new CostMeter(1_000_000),
            phase =>
            {
                if (!phase.StartsWith("created ", StringComparison.Ordinal))
                    return;
                (created, left) = (phase["created ".Length..], calibration!.LeftContainer);
                stop.Cancel();
            });

        Assert.Null(calibration.LeftContainer);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => calibration.RunAsync(stop.Token));

        Assert.NotNull(created);
        Assert.Equal(created, left);
        Assert.Null(calibration.LeftContainer);
    }
}
