namespace ScaleOut.Simulator.Engine.Patches;

internal enum PatchKind
{
    Add,
    Set,
    Replace,
    Remove,
    Increment,
    Move,
}

/// <param name="Number">From 1, for messages.</param>
/// <param name="Path">Segments of the JSON pointer, unescaped; at least one.</param>
/// <param name="From">The source of a move; else empty.</param>
/// <param name="Value">The new value, or the increment; undefined for a remove or a move.</param>
internal sealed record PatchStep(int Number, PatchKind Kind, string[] Path, string[] From, JsonElement Value);

/// <summary>The body of a patch request: up to ten steps and the condition that the document must meet.</summary>
internal sealed class PatchSpecification
{
    public const int MaxSteps = 10;

    private readonly ParsedQuery? _condition;

    private PatchSpecification(IReadOnlyList<PatchStep> steps, ParsedQuery? condition)
    {
        Steps = steps;
        _condition = condition;
    }

    public IReadOnlyList<PatchStep> Steps { get; }

    /// <summary>Reads <c>{"operations": [...], "condition": "from c where ..."}</c>, or the array of operations alone.</summary>
    /// <exception cref="RequestException">400: malformed.</exception>
    public static PatchSpecification Parse(ReadOnlyMemory<byte> body) => RequestException.ReadJson(
        body, "The request payload is no patch with an array of operations.", root =>
        {
            var hasCondition = root.ValueKind == JsonValueKind.Object && root.TryGetProperty("condition", out _);
            var operations = root.ValueKind == JsonValueKind.Array ? root : root.GetProperty("operations");
            if (operations.GetArrayLength() is 0 or > MaxSteps)
            {
                throw RequestException.BadRequest(
                    $"A patch has 1 to {MaxSteps} operations, and this one has {operations.GetArrayLength()}.");
            }

            PatchStep[] steps = [.. operations.EnumerateArray().Select((operation, index) => ReadStep(operation, index + 1))];
            return new PatchSpecification(steps, hasCondition ? ParseCondition(root.GetProperty("condition").GetString()) : null);
        });

    /// <summary>Whether a document's body meets the condition, if there is one.</summary>
    public bool Holds(ReadOnlySpan<byte> body) => _condition?.Matches(body.ToArray()) ?? true;

    private static ParsedQuery? ParseCondition(string? condition) =>
        string.IsNullOrWhiteSpace(condition) ? null : QueryParser.Parse($"SELECT * {condition}", new Dictionary<string, Datum>());

    private static PatchStep ReadStep(JsonElement operation, int number)
    {
        var name = operation.GetProperty("op").GetString() ?? "";
        var kind = name switch
        {
            "add" => PatchKind.Add,
            "set" => PatchKind.Set,
            "replace" => PatchKind.Replace,
            "remove" => PatchKind.Remove,
            "incr" => PatchKind.Increment,
            "move" => PatchKind.Move,
            _ => throw Invalid(number, $"The operation '{name}' is none of add, set, replace, remove, incr and move."),
        };
        var path = ReadPath(operation, "path", number);
        var from = kind == PatchKind.Move ? ReadPath(operation, "from", number) : [];
        if (kind is PatchKind.Remove or PatchKind.Move)
            return new PatchStep(number, kind, path, from, default);
        if (!operation.TryGetProperty("value", out var value))
            throw Invalid(number, "The operation needs a value.");
        if (kind == PatchKind.Increment && value.ValueKind != JsonValueKind.Number)
            throw Invalid(number, "The value of an increment must be a number.");
        return new PatchStep(number, kind, path, from, value.Clone());
    }

    private static string[] ReadPath(JsonElement operation, string property, int number)
    {
        var path = operation.TryGetProperty(property, out var given) ? given.GetString() ?? "" : "";
        if (path.Length < 2 || path[0] != '/')
            throw Invalid(number, $"The {property} '{path}' must begin with '/' and name a property.");
        string[] segments = [.. path[1..].Split('/').Select(Unescape)];
        if (SystemProperties.Contains(segments[0]))
            throw Invalid(number, $"The system property '{segments[0]}' cannot be patched.");
        return segments;

        // In this order, so that ~01 stands for ~1.
        static string Unescape(string segment) =>
            segment.Replace("~1", "/", StringComparison.Ordinal).Replace("~0", "~", StringComparison.Ordinal);
    }

    /// <summary>A 400 whose message names its operation.</summary>
    public static RequestException Invalid(int number, string reason) =>
        RequestException.BadRequest($"For Operation({number}): {reason} Learn more: https://aka.ms/cosmosdbpatchdocs");
}
