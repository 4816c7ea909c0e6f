using System.CommandLine;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Text;
using ScaleOut.DevBox.Display;
using ScaleOut.DevBox.Machine;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;

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
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var faults = input.Faults();
        var account = faults.Try(() => _account.Read(input));
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        if (_plan.File(input) is { } file && File.Exists(file) && await faults.TryAsync(() => PlanFile.ReadAsync(file, "plan file", cancellationToken)) is { } text && ExperimentSpecReader.IsExperiment(text))
        {
            faults.Add(_plan.Given(input).Select(option => $"{option}: only for the plan of a run, and this is an experiment."));
            var experiment = faults.Try(() => ExperimentOptions.Read(text, file, target));
            faults.ThrowIfAny();
            WriteExperiment(experiment!, target);
            return ExitCode.Complete;
        }

        var spec = await faults.TryAsync(() => _plan.ReadAsync(input, target, cancellationToken));
        if (spec is not null && account is not null)
            faults.Add(ConnectionModeCheck.ErrorsOf(spec, account));
        faults.ThrowIfAny();

        var estimate = RunEstimate.Of(spec!, target);
        Console.WriteLine($"valid: {RunHeading.Of(spec!, account?.Endpoint)}");
        Console.WriteLine($"  request units  {Numbers.Count((long)Math.Round(estimate.RequestUnits))}");
        Console.WriteLine($"  seconds        {(estimate.Seconds is { } seconds ? $"at least {Numbers.Brief(seconds)}" : "not known: neither the throughput nor the latency is")}");
        WriteNeeds([spec!], target);
        return ExitCode.Complete;
    }

    /// <summary>What the largest of some runs, which go one after the other, takes of this machine.</summary>
    private static void WriteNeeds(IReadOnlyList<RunSpec> runs, RunTarget target)
    {
        if (target == RunTarget.SimulatedAccount)
            Console.WriteLine($"  memory         {MemoryNeed.Largest(runs).Describe()}");
        var files = runs.Select(run => OpenFileNeed.Of(run, target)).MaxBy(need => need.Files)!;
        var limit = OpenFileLimit.Read() is { } most ? $", of {Numbers.Count(most)}" : "";
        Console.WriteLine($"  open files     about {Numbers.Count(files.Files)} in {files.Process}{limit}");
    }

    private static void WriteExperiment(ExperimentSpec spec, RunTarget target)
    {
        var runs = spec.Variants.Select((_, variant) => ExperimentRuns.PlanOf(spec, variant)).ToList();
        var estimates = runs.Select(run => RunEstimate.Of(run, target)).ToList();
        var seconds = estimates.Sum(estimate => estimate.Seconds ?? 0) * spec.Repeats;
        Console.WriteLine($"valid: experiment{(spec.Id is { } id ? $" {id}" : "")}: {Words.Amount(spec.Variants.Count, "variant")}, {Words.Amount(spec.Repeats, "repeat")} each, {Words.Amount(spec.Findings.Count, "finding")}");
        Console.WriteLine($"  request units  {Numbers.Count((long)Math.Round(estimates.Sum(estimate => estimate.RequestUnits) * spec.Repeats))}");
        Console.WriteLine($"  seconds        at least {Numbers.Brief(seconds)} in all runs, and some for the start and end of each");
        WriteNeeds(runs, target);
        foreach (var (variant, estimate) in spec.Variants.Zip(estimates))
            Console.WriteLine($"    {variant.Name,-40} {(estimate.Seconds is { } one ? $"at least {Numbers.Brief(one)} s" : "not known")}");
    }
}
