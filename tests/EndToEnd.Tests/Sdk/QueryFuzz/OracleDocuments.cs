namespace ScaleOut.Tests.EndToEnd.Sdk.QueryFuzz;

/// <summary>Documents with values of every type under the same names.</summary>
internal static class OracleDocuments
{
    private static readonly string?[] Mixed =
        [null, "null", "true", "false", "0", "1", "-2.5", "\"\"", "\"a\"", "\"b\"", "[]", "[1,2]", "{}", "{\"y\":1}", "1e300"];

    private static readonly string?[] Scalars = [null, "null", "true", "false", "0", "1", "-2.5", "\"\"", "\"a\"", "\"b\""];

    private static readonly string[] Texts =
        ["\"a\"", "\"ab\"", "\"AB\"", "\"b c\"", "\" x \"", "\"ä%\"", "\"x_y\"", "\"\\\"q\\\"\"", "\"10\"", "\"it's\"", "\"\""];

    private static readonly string[] Lists =
        ["[]", "[1]", "[1,2,3]", "[\"a\",\"b\"]", "[null,true]", "[{\"k\":1,\"v\":2}]", "[{\"k\":2}]", "[[1],[2]]"];

    /// <summary>As JSON, in the order in which they are inserted; <c>n</c> counts them.</summary>
    public static string[] Create(int count, int seed)
    {
        var random = new Random(seed);
        return [.. Enumerable.Range(0, count).Select(Document)];

        string Document(int number)
        {
            var properties = new List<string> { $"\"id\":\"{number}\"", $"\"pk\":\"p{random.Next(12)}\"", $"\"n\":{number}" };
            Add("a", Mixed);
            Add("o", Mixed);
            Add("m", Scalars);
            Add("b", ["true", "false", null, "true", "null"]);
            Add("i", ["0", "1", "2", "3", "7", "-4", null, "1"]);
            Add("s", Texts);
            Add("t", [.. Texts, null, "1"]);
            Add("l", [.. Lists, null, "\"a\""]);
            Add("d", ["{\"y\":1.5}", "{\"y\":2,\"z\":\"a\"}", "{\"y\":-0.25,\"z\":[0]}", "{\"y\":null}", "{}", null, "{\"y\":2}"]);
            return $"{{{string.Join(',', properties)}}}";

            void Add(string name, string?[] values)
            {
                if (values[random.Next(values.Length)] is { } value)
                    properties.Add($"\"{name}\":{value}");
            }
        }
    }
}
