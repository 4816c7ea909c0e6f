using System.CommandLine;
using System.Text.Json.Nodes;
using ScaleOut.Experiments;
using ScaleOut.Specs;

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
        _plan.Validators.Add(result =>
        {
            foreach (var token in result.Tokens.Where(token => token.Value.StartsWith('-')))
                result.AddError($"There is no option '{token.Value}'.");
        });
        command.Arguments.Add(_plan);
        foreach (var option in _options)
            command.Options.Add(option);
    }

    /// <summary>Reads the plan with the options over it.</summary>
    /// <exception cref="InputException">All that is wrong with it.</exception>
    public async Task<ExperimentSpec> ReadAsync(ParseResult parsed, RunTarget target, CancellationToken cancellationToken)
    {
        var file = parsed.GetValue(_plan)!;
        var text = await PlanFile.ReadAsync(file, "plan file", cancellationToken);
        var given = _options.Where(option => parsed.GetValue(option) is not null).ToList();
        void Edit(JsonObject plan)
        {
            foreach (var option in given)
                SpecEdit.Set(plan, option.Path, PlanOption.ToJson(parsed.GetValue(option)!));
        }

        return Read(text, file, target, Edit, given);
    }

    /// <summary>Reads the plan of an experiment; every fault names the file, or the option that it came from.</summary>
    /// <exception cref="InputException">All that is wrong with it.</exception>
    public static ExperimentSpec Read(string text, string file, RunTarget target, Action<JsonObject>? edit = null, IReadOnlyList<PlanOption>? given = null)
    {
        var reading = ExperimentSpecReader.Read(text, target, edit);
        return reading.Spec ?? throw new InputException([.. reading.Faults.Select(fault => Describe(fault, file, given ?? []))]);
    }

    private static string Describe(SpecFault fault, string file, IReadOnlyList<PlanOption> given) =>
        given.FirstOrDefault(option => option.Path == fault.Path) is { } source ? $"{fault} (given as {source.Name})" : $"{file}: {fault}";
}
