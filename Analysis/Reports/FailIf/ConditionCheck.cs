namespace ScaleOut.Analysis.Reports.FailIf;

/// <summary>Finds the parts of a condition that are always or never true.</summary>
internal static class ConditionCheck
{
    /// <summary>Maximum number of combinations of values that are tried. A condition with more of them is not checked.</summary>
    private const int MaxCombinations = 4_096;

    /// <inheritdoc cref="FailIfExpression.Constants"/>
    public static IReadOnlyList<ValidationError> ConstantsIn(FailIfNode condition)
    {
        List<ValidationError> errors = [.. ComparisonsIn(condition).Select(ErrorOf).OfType<ValidationError>()];
        if (errors.Count == 0 && OutcomeOf(condition) is { } outcome)
            errors.Add(FailIfSyntaxException.ErrorAt(1, outcome
                ? "this always holds: one of its parts is true whatever the figures are"
                : "this never holds: its parts exclude each other"));
        return errors;
    }

    public static IEnumerable<FailIfNode.Compare> ComparisonsIn(FailIfNode node) => node switch
    {
        FailIfNode.Join join => ComparisonsIn(join.Left).Concat(ComparisonsIn(join.Right)),
        _ => [(FailIfNode.Compare)node],
    };

    /// <summary>The comparisons that must hold for the condition to hold.</summary>
    public static IEnumerable<FailIfNode.Compare> NeededIn(FailIfNode node) => node switch
    {
        FailIfNode.Join { IsAnd: true } join => NeededIn(join.Left).Concat(NeededIn(join.Right)),
        FailIfNode.Compare compare => [compare],
        _ => [],
    };

    private static ValidationError? ErrorOf(FailIfNode.Compare compare)
    {
        if (OutcomeOf(compare) is not { } outcome)
            return null;
        var verdict = outcome ? "always holds" : "never holds";
        if (NumberComparison.From(compare) is not { } comparison)
            return FailIfSyntaxException.ErrorAt(compare.Left.Position, $"'{compare.Text}' compares two numbers and {verdict}");
        var name = ConditionName.From(comparison.Name);
        var range = name.Max < double.PositiveInfinity
            ? $"from {name.Min} to {name.Max}"
            : $"not below {name.Min}";
        return FailIfSyntaxException.ErrorAt(
            comparison.Position, $"'{compare.Text}' {verdict}, because {name.Name} is {range}{MeantBy(comparison, name)}");
    }

    /// <summary>What was probably meant: percent, or the bound itself.</summary>
    private static string MeantBy(NumberComparison comparison, ConditionName name)
    {
        var isPlain = double.TryParse(comparison.Written, NumberStyles.Float, CultureInfo.InvariantCulture, out _);
        if (name.Unit == ConditionUnit.Share && isPlain && comparison.Number > name.Max && comparison.Number < 100)
            return $" and {comparison.Number} is {comparison.Number:0%}"
                + $"; did you mean {comparison with { Written = comparison.Written + "%" }}?";
        FailIfComparison? nearest = comparison.Number != name.Min ? null : comparison.Comparison switch
        {
            FailIfComparison.Less => FailIfComparison.Equal,
            FailIfComparison.GreaterOrEqual => FailIfComparison.Greater,
            _ => null,
        };
        return nearest is { } meant ? $"; did you mean {comparison with { Comparison = meant }}?" : "";
    }

    /// <summary>Whether a part holds for all values of its numbers (true) or for none (false); null if that depends on them.</summary>
    private static bool? OutcomeOf(FailIfNode node)
    {
        var compares = ComparisonsIn(node).ToList();
        // How two figures relate is not known.
        if (compares.Any(compare => compare.Left.Name is not null && compare.Right.Name is not null))
            return null;
        var names = compares.Select(NumberComparison.From).OfType<NumberComparison>()
            .GroupBy(one => one.Name, one => one.Number, StringComparer.Ordinal)
            .Select(group => (Name: group.Key, Values: ValuesOf(ConditionName.From(group.Key), group))).ToList();
        if (names.Aggregate(1.0, (product, one) => product * one.Values.Count) > MaxCombinations)
            return null;
        var values = names.ToDictionary(one => one.Name, one => (double?)one.Values[0], StringComparer.Ordinal);
        var first = node.Holds(values);
        var places = new int[names.Count];
        for (var at = 0; at < places.Length;)
        {
            // Counts up through all combinations.
            places[at] = (places[at] + 1) % names[at].Values.Count;
            values[names[at].Name] = names[at].Values[places[at]];
            at = places[at] == 0 ? at + 1 : 0;
            if (node.Holds(values) != first)
                return null;
        }

        return first;
    }

    /// <summary>
    /// Test values for a name: each bound that it is compared with, a value between neighbouring bounds, and one beyond each end.
    /// </summary>
    private static IReadOnlyList<double> ValuesOf(ConditionName name, IEnumerable<double> bounds)
    {
        var within = bounds.Where(bound => bound >= name.Min && bound <= name.Max).Distinct().Order().ToList();
        var lowest = double.IsFinite(name.Min) ? name.Min : within.FirstOrDefault() - 1;
        var highest = double.IsFinite(name.Max) ? name.Max : within.Append(lowest).Max() + 1;
        var places = within.Prepend(lowest).Append(highest).Distinct().ToList();
        return [.. places, .. places.Zip(places.Skip(1), (low, high) => (low + high) / 2)];
    }
}
