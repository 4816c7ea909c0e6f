using System.Text.RegularExpressions;

namespace ScaleOut.Tests.EndToEnd.Recorded;

/// <summary>Compares bodies with those of the recording. Ids, ETags and times are any of their form.</summary>
internal static partial class RecordedBodies
{
    private const string Guid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private const string Library = "Microsoft\\.Azure\\.Documents\\.Common/2\\.14\\.0";

    private static readonly (string Mark, string Pattern)[] Marks =
    [
        ("\"<etag>\"", "\"\\\\\"[^\"\\\\]*\\\\\"\""), ("<rid>", "[0-9A-Za-z+=-]+"), ("<self>", "[0-9A-Za-z+=/-]+"), ("<ts>", "[0-9]+"),
        ("<lsn>", "[0-9]+"),
    ];

    /// <summary>Null if the body is as recorded; otherwise what differs.</summary>
    public static string? Difference(RecordedRequest request, string body, string? continuation) =>
        request.Error is { } error ? OfError(error, request.Plan, body)
        : request.Expected is { } expected ? OfText(expected, body)
        : request.ExpectedRule is { } rule ? OfRule(rule, body, continuation)
        : null;

    private static string? OfText(string expected, string body)
    {
        // The LSN of a range's feed is a number that the hosted account had.
        var pattern = Regex.Replace(Regex.Escape(expected), "\"lsn\":[0-9]+", "\"lsn\":[0-9]+");
        foreach ((var mark, var value) in Marks)
            pattern = pattern.Replace(Regex.Escape(mark), value, StringComparison.Ordinal);
        return Regex.IsMatch(body, $"^{pattern}$", RegexOptions.CultureInvariant) ? null : body;
    }

    private static string? OfError(RecordedError error, JsonElement? plan, string body)
    {
        if (body.Length == 0 || body[0] != '{')
            return body;
        var root = JsonNode.Parse(body)!;
        var tail = error.Tail switch
        {
            "gw" => $"\r\nActivityId: {Guid}, {Library}$",
            "be" => $"\r\nActivityId: {Guid}, Request URI: .+, RequestStats: , SDK: {Library}$",
            _ => "\r\nRequestStartTime: ",
        };
        var isAlike = (string?)root["code"] == error.Code
            && Regex.IsMatch((string?)root["message"] ?? "", $"^{Regex.Escape(error.Message)}{tail}");
        if (!isAlike || plan is null)
            return isAlike ? null : body;
        var text = (string?)root["additionalErrorInfo"] ?? "null";
        return JsonNode.DeepEquals(JsonNode.Parse(text), JsonNode.Parse(plan.Value.GetRawText())) ? null : text;
    }

    private static string? OfRule(string rule, string body, string? continuation)
    {
        var root = JsonNode.Parse(body)!;
        if (rule.StartsWith("account with ", StringComparison.Ordinal))
            return rule["account with ".Length..].Split(", ").FirstOrDefault(name => !root.AsObject().ContainsKey(name));
        if (rule.StartsWith("{\"_rid\":\"\",\"Databases\"", StringComparison.Ordinal))
            return body.StartsWith("{\"_rid\":\"\",\"Databases\":[", StringComparison.Ordinal) && root["_count"] is not null ? null : body;
        if (rule.StartsWith("each offer", StringComparison.Ordinal))
            return OfOffers(rule, root);
        return OfPage(rule, root, continuation);
    }

    private static string? OfOffers(string rule, JsonNode root)
    {
        var names = Names().Matches(rule["each offer: ".Length..]).Select(match => match.Value).Except(["Invalid", "V2"]).ToArray();
        var offers = root["Offers"] as JsonArray ?? [];
        return offers.Count > 0 && offers.All(offer => names.Order().SequenceEqual(AllNames(offer!).Order())) ? null : root.ToJsonString();

        static IEnumerable<string> AllNames(JsonNode node) => node is JsonObject properties
            ? properties.SelectMany(one => AllNames(one.Value!).Prepend(one.Key)) : [];
    }

    /// <summary>A page of the documents <c>rp0-0</c> to <c>rp4-499</c>, which were written in this order.</summary>
    private static string? OfPage(string rule, JsonNode root, string? continuation)
    {
        if (root["Documents"] is not JsonArray documents)
            return root.ToJsonString();
        string[] ids = [.. documents.Select(one => (string)one!["id"]!)];
        var range = PageRange().Match(rule);
        (var first, var last) = rule.StartsWith("all 2500", StringComparison.Ordinal) ? (0, 2_499)
            : range.Success ? (Place(range, 1), Place(range, 3)) : throw new InvalidDataException($"unknown rule: {rule}");
        var isEnd = last == 2_499;
        var expected = Enumerable.Range(first, last - first + 1).Select(n => $"rp{n / 500}-{n % 500}");
        return ids.SequenceEqual(expected) && (continuation is null) == isEnd
            ? null : $"{ids.Length} from {ids.FirstOrDefault()}, {continuation}";

        static int Place(Match match, int group) =>
            (500 * int.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture))
            + int.Parse(match.Groups[group + 1].Value, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex("rp([0-9])-([0-9]+)\\.\\.rp([0-9])-([0-9]+)")]
    private static partial Regex PageRange();

    [GeneratedRegex("[A-Za-z_][A-Za-z0-9_]*")]
    private static partial Regex Names();
}
