using System.CommandLine;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.DevBox.Machine;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Validation;

namespace ScaleOut.DevBox.Commands;

/// <summary>The plan of an experiment and the options that override its fields.</summary>
internal sealed class ExperimentOptions
{
    private readonly Argument<string> _plan = new("experiment.json") { Description = "The plan of the experiment, such as plans/scale-out.json." };

    private readonly IReadOnlyList<PlanOption> _options =
    [
        new("--scale", "scale", "share", "Share of the documents and times that is run (above 0 to 1): 0.01 tries a plan in minutes."),
        new("--repeats", "repeats", "n", "Times that each variant is run (1 to 100)."),
        new("--id", "id", "id", "The experiment's id (default: made from the time). The same id goes on with an experiment that was interrupted."),
    ];

    public void AddTo(Command command)
    {
        command.Arguments.Add(_plan);
        foreach (var option in _options)
            command.Options.Add(option);
    }

    /// <summary>Reads the plan with the options over it; null when the command line names none.</summary>
    /// <exception cref="InputException">All that is wrong with it; of a plan that cannot be read, and of one that is not named, all that is wrong with the options.</exception>
    public async Task<ExperimentSpec?> ReadAsync(CommandInput input, RunTarget target, CancellationToken cancellationToken)
    {
        var faults = new FaultCollector([]);
        var given = _options.Where(option => input.Value(option) is not null).ToList();
        var edited = false;
        void Edit(JsonObject plan)
        {
            edited = true;
            foreach (var option in given)
                SpecEdit.Set(plan, option.Path, PlanOption.ToJson(input.Value(option)!));
        }

        // Without a file there is a fault of the command line.
        var file = input.Value(_plan);
        var text = file is null ? null : await faults.TryAsync(() => PlanFile.ReadAsync(file, "plan file", cancellationToken));
        var spec = text is null ? null : faults.Try(() => Read(text, file!, target, Edit, given));
        if (!edited)
            faults.Add(PlanOption.FaultsOf(given, ExperimentSpecReader.Read("{}", target, Edit).Faults));
        faults.ThrowIfAny();
        return spec;
    }

    /// <summary>
    /// Reads the plan of an experiment, and what its runs need of this machine; every fault names the file, or the option that it came
    /// from.
    /// </summary>
    /// <exception cref="InputException">All that is wrong with it.</exception>
    public static ExperimentSpec Read(string text, string file, RunTarget target, Action<JsonObject>? edit = null, IReadOnlyList<PlanOption>? given = null)
    {
        var reading = ExperimentSpecReader.Read(text, target, edit);
        var faults = reading.Spec is null ? reading.Faults : MachineChecks.FaultsOf(reading.Spec, target);
        return faults.Count == 0
            ? reading.Spec!
            : throw new InputException([.. faults.Select(fault => Describe(fault, file, given ?? []))]);
    }

    private static string Describe(SpecFault fault, string file, IReadOnlyList<PlanOption> given) =>
        PlanOption.SourcesOf(fault, given) is { } sources ? $"{fault} ({sources})" : $"{file}: {fault}";
}
