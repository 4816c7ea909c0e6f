using System.CommandLine;
using ScaleOut.DevBox.Display;
using ScaleOut.Reports.Text;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>validate</c>: what is wrong with a plan, or what it will take.</summary>
internal sealed class ValidateCommand
{
    private readonly PlanOptions _plan = new();
    private readonly AccountOptions _account = new();

    public Command Create()
    {
        var command = new Command("validate", "Says what is wrong with a plan, or what running it will take.");
        _plan.AddTo(command);
        _account.AddTo(command);
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var faults = new FaultCollector();
        var account = faults.Try(() => _account.Read(parsed));
        var target = _account.IsGiven(parsed) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var spec = await faults.TryAsync(() => _plan.ReadAsync(parsed, target, cancellationToken));
        faults.ThrowIfAny();

        var estimate = RunEstimate.Of(spec!, target);
        Console.WriteLine($"valid: {RunHeading.Of(spec!, account?.Endpoint)}");
        Console.WriteLine($"  request units  {Numbers.Count((long)Math.Round(estimate.RequestUnits))}");
        Console.WriteLine($"  seconds        {(estimate.Seconds is { } seconds ? $"at least {Numbers.Brief(seconds)}" : "not known: neither the throughput nor the latency is")}");
        return ExitCode.Complete;
    }
}
