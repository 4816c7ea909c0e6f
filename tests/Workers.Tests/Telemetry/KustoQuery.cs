namespace ScaleOut.Tests.Workers.Telemetry;

/// <summary>
/// Runs a Kusto query on recorded events. It knows what <c>infra/workbook/calls-per-operation.kql</c> uses: <c>where</c> with comparisons
/// and <c>and</c>, <c>summarize</c> of sums by keys, <c>extend</c> with one division, and <c>order by</c>. Anything else is an error.
/// </summary>
internal static partial class KustoQuery
{
    /// <summary>The resulting rows, by column.</summary>
    public static IReadOnlyList<IReadOnlyDictionary<string, object?>> Run(string query, IEnumerable<TelemetryRecord> records)
    {
        var text = string.Join(
            ' ', query.Split('\n').Where(line => !line.StartsWith("//", StringComparison.Ordinal)).Select(line => line.Trim()));
        var steps = text.Split('|', StringSplitOptions.TrimEntries);
        Assert.Equal("customEvents", steps[0]);
        var rows = records.Where(record => record.Type == "EventData").Select(RowOf).ToList();
        return [.. steps.Skip(1).Aggregate(rows, (soFar, step) => [.. Apply(soFar, step)])];
    }

    private static Dictionary<string, object?> RowOf(TelemetryRecord record)
    {
        var row = new Dictionary<string, object?> { ["name"] = record.Field("name") };
        foreach (var (name, value) in record.Dimensions)
            row[$"customDimensions.{name}"] = value;
        foreach (var name in record.Measurements)
            row[$"customMeasurements.{name}"] = record.Measurement(name);
        return row;
    }

    private static IEnumerable<Dictionary<string, object?>> Apply(List<Dictionary<string, object?>> rows, string step)
    {
        var (verb, rest) = (step[..step.IndexOf(' ', StringComparison.Ordinal)], step[(step.IndexOf(' ', StringComparison.Ordinal) + 1)..]);
        return verb switch
        {
            "where" => rows.Where(row => rest.Split(" and ").All(condition => Holds(row, condition))),
            "summarize" => Summarize(rows, rest),
            "extend" => rows.Select(row => Extend(row, rest)),
            "order" => rows.OrderByDescending(row => row[Match(Order(), rest).Groups["column"].Value]),
            _ => throw new NotSupportedException(step),
        };
    }

    private static bool Holds(Dictionary<string, object?> row, string condition)
    {
        var match = Match(Comparison(), condition);
        var (left, right) = (ValueOf(row, match.Groups["left"].Value), match.Groups["right"].Value);
        return match.Groups["operator"].Value == "=="
            ? Equals(left, right.Trim('\''))
            : (double)left! > double.Parse(right, CultureInfo.InvariantCulture);
    }

    private static IEnumerable<Dictionary<string, object?>> Summarize(List<Dictionary<string, object?>> rows, string rest)
    {
        var parts = rest.Split(" by ");
        var keys = Assignments(parts[1]);
        var sums = Assignments(parts[0]);
        return rows.GroupBy(row => string.Join('\n', keys.Select(key => ValueOf(row, key.Expression)))).Select(group =>
        {
            var result = keys.ToDictionary(key => key.Column, key => ValueOf(group.First(), key.Expression));
            foreach (var (column, expression) in sums)
                result[column] = group.Sum(row => (double?)ValueOf(row, Match(Sum(), expression).Groups["what"].Value) ?? 0);
            return result;
        });
    }

    private static Dictionary<string, object?> Extend(Dictionary<string, object?> row, string rest)
    {
        var (column, expression) = Assert.Single(Assignments(rest));
        var match = Match(Division(), expression);
        return new(row) { [column] = (double)row[match.Groups["left"].Value]! / (double)row[match.Groups["right"].Value]! };
    }

    private static List<(string Column, string Expression)> Assignments(string text) =>
        [.. text.Split(", ").Select(part => part.Split(" = ")).Select(pair => (pair[0].Trim(), pair[1].Trim()))];

    private static object? ValueOf(Dictionary<string, object?> row, string expression) =>
        row.GetValueOrDefault(
            Conversion().Match(expression) is { Success: true } conversion ? conversion.Groups["what"].Value : expression);

    private static Match Match(Regex pattern, string text) =>
        pattern.Match(text) is { Success: true } match ? match : throw new NotSupportedException(text);

    [GeneratedRegex(@"^(?<left>.+?) (?<operator>==|>) (?<right>.+)$")]
    private static partial Regex Comparison();

    [GeneratedRegex(@"^(tostring|todouble)\((?<what>.+)\)$")]
    private static partial Regex Conversion();

    [GeneratedRegex(@"^sum\((?<what>.+)\)$")]
    private static partial Regex Sum();

    [GeneratedRegex(@"^(?<left>\w+) / (?<right>\w+)$")]
    private static partial Regex Division();

    [GeneratedRegex(@"^by (?<column>\w+) desc$")]
    private static partial Regex Order();
}
