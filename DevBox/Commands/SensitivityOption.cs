using System.CommandLine;
using System.Globalization;
using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Experiments;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>--sensitivity</c>: how many draws of the assumed physics the findings are tested under.</summary>
internal sealed class SensitivityOption : Option<string?>
{
    public SensitivityOption()
        : base("--sensitivity")
    {
        HelpName = "draws";
        Description = string.Create(
            CultureInfo.InvariantCulture,
            $"Then simulates the measured runs in virtual time under so many draws of the simulated account's assumed parameters "
                + $"({SensitivityDraws.Fewest} to {SensitivityDraws.Most}; 40 show where a finding flips).");
    }

    /// <summary>Whether the draws asked for can be made of an experiment.</summary>
    /// <param name="input">The command line.</param>
    /// <param name="spec">Null when it cannot be read.</param>
    /// <param name="otherAccount">Whether the runs go to another account.</param>
    /// <exception cref="InputException">All that is wrong.</exception>
    public void Check(CommandInput input, ExperimentSpec? spec, bool otherAccount)
    {
        if (input.Value(this) is not { } text)
            return;
        var errors = new List<string>();
        if (CountIn(text) is null)
            errors.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"{Name}: \"{OneLine.From(text)}\" is not a whole number from {SensitivityDraws.Fewest} to {SensitivityDraws.Most}."));
        if (otherAccount)
            errors.Add($"{Name}: parameters of the simulated account are drawn, so it does not go with --account.");
        if (spec is { Findings.Count: 0 })
            errors.Add($"{Name}: the experiment has no findings to test under other physics; add \"findings\" to its spec.");
        if (errors.Count > 0)
            throw new InputException(errors);
    }

    /// <summary>The draws of an experiment; null when none are asked for.</summary>
    /// <param name="input">The command line, which was checked.</param>
    /// <param name="spec">With its id.</param>
    /// <exception cref="InputException">A draw makes no valid experiment.</exception>
    public SensitivityExecution? Create(CommandInput input, ExperimentSpec spec)
    {
        if (input.Value(this) is not { } text)
            return null;
        var draws = new SensitivityExecution(spec, CountIn(text)!.Value);
        draws.Check();
        return draws;
    }

    private static int? CountIn(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count)
            && count is >= SensitivityDraws.Fewest and <= SensitivityDraws.Most
            ? count
            : null;
}
