namespace ScaleOut.Validation;

/// <summary>Finds the intended name for a misspelt one.</summary>
public static class NearestName
{
    /// <summary>The nearest name; null if none is near enough.</summary>
    public static string? From(string name, IEnumerable<string> candidates) =>
        AllOf(name, candidates, 1) is [var nearest, ..] ? nearest : null;

    /// <summary>Up to <paramref name="count"/> names that are near enough, nearest first.</summary>
    public static IReadOnlyList<string> AllOf(string name, IEnumerable<string> candidates, int count)
    {
        var reach = Math.Clamp(name.Length / 3, 1, 4);
        // A text that is far too long is near no name, and computing its distances would be slow.
        if (name.Length > 100)
            return [];
        return
        [
            .. candidates
                .Select(candidate => (candidate, distance: Distance(name.ToUpperInvariant(), candidate.ToUpperInvariant())))
                .Where(pair => pair.distance <= reach)
                .OrderBy(pair => pair.distance).ThenBy(pair => pair.candidate, StringComparer.Ordinal)
                .Take(count)
                .Select(pair => pair.candidate),
        ];
    }

    /// <summary>Number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other.</summary>
    internal static int Distance(string left, string right)
    {
        var cost = new int[left.Length + 1, right.Length + 1];
        for (var i = 0; i <= left.Length; i++)
            cost[i, 0] = i;
        for (var j = 0; j <= right.Length; j++)
            cost[0, j] = j;

        for (var i = 1; i <= left.Length; i++)
        {
            for (var j = 1; j <= right.Length; j++)
            {
                var replace = cost[i - 1, j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
                cost[i, j] = Math.Min(replace, Math.Min(cost[i - 1, j], cost[i, j - 1]) + 1);
                if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                    cost[i, j] = Math.Min(cost[i, j], cost[i - 2, j - 2] + 1);
            }
        }

        return cost[left.Length, right.Length];
    }
}

/// <summary>The names of an enum's values in JSON.</summary>
internal static class EnumNames
{
    public static IReadOnlyDictionary<string, object> From(Type type) => Enum.GetValues(type).Cast<object>().ToDictionary(NameOf);

    public static string NameOf(object value) =>
        JsonSerializer.SerializeToElement(value, value.GetType(), ScaleOutJson.Compact).GetString()!;

    /// <summary>All names with the <see cref="DescriptionAttribute"/> of their values, as sentences; empty if there are none.</summary>
    public static string HelpOf(Type type) => string.Join(
        ' ',
        from pair in From(type)
        let about = type.GetField($"{pair.Value}")!.GetCustomAttribute<DescriptionAttribute>()
        where about is not null
        select $"{pair.Key}: {about.Description}.");
}
