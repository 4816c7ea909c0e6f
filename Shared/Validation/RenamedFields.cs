namespace ScaleOut.Validation;

/// <summary>Fields of specs and profiles that had another name in earlier versions.</summary>
internal static class RenamedFields
{
    /// <summary>New names of fields by their names in earlier versions.</summary>
    private static readonly Dictionary<string, string> Renamed = new(StringComparer.Ordinal)
    {
        ["population"] = "preload", ["perQueryPage"] = "query", ["perIndexLookup"] = "query", ["loadedShare"] = "query",
        ["returnedShare"] = "query", ["querySizeExponent"] = "query", ["perIndexedTerm"] = "perIndexEntry", ["index"] = "perIndexEntry",
        ["minIndexedWrite"] = "perIndexEntry", ["minIndexedReplace"] = "perIndexEntry",
    };

    /// <summary>What the error about an unknown field says to use instead.</summary>
    /// <param name="known">The fields that there are.</param>
    public static string Advice(string name, IReadOnlyList<string> known) =>
        Renamed.TryGetValue(name, out var now) && known.Contains(now) ? $"'{now}' replaces it"
        : NearestName.From(name, known) is { } meant ? $"did you mean '{meant}'?"
        : $"there are {string.Join(", ", known.Where(field => field[0] != '$'))}";
}
