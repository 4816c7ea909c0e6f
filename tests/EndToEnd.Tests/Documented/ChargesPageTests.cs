namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>The tables of docs/charges.md are generated from the code and the measured points.</summary>
public sealed class ChargesPageTests
{
    [Theory]
    [InlineData("rows")]
    [InlineData("held out")]
    [InlineData("missed")]
    [InlineData("queries")]
    [InlineData("parameters")]
    public void Page_Table_IsWhatTheCodeComputes(string table)
    {
        var computed = table switch
        {
            "rows" => Rows(),
            "held out" => HeldOut(),
            "missed" => Missed(),
            "queries" => QueryParameters(),
            _ => Parameters(),
        };
        GeneratedText.AssertIs(
            "docs/charges.md", computed, "SCALEOUT_REWRITE_CHARGES", nameof(ChargesPageTests), $"<!-- begin: {table} -->\n",
            $"<!-- end: {table} -->");
    }

    private static string Rows()
    {
        var text = new StringBuilder(
            "| stored size up to | write, 21sts on each of 4 replicas | RU | read, 21sts | RU |\n|--:|--:|--:|--:|--:|\n");
        foreach (var (write, read) in ChargeModel.Default.WriteRows.Zip(ChargeModel.Default.ReadRows))
        {
            var (parts, readParts) = (write.RequestUnits * 21 / ChargeModel.WriteReplicas, read.RequestUnits * 21);
            text.Append(CultureInfo.InvariantCulture, $"| {write.Bytes / 1_024:N0} KB | {Whole(parts)} | {write.RequestUnits:N2} | ");
            text.Append(CultureInfo.InvariantCulture, $"{Whole(readParts)} | {read.RequestUnits:N2} |\n");
        }

        return text.ToString();

        static string Whole(double parts) => Math.Abs(parts - Math.Round(parts)) < 1e-6
            ? Math.Round(parts).ToString("N0", CultureInfo.InvariantCulture) : "only documented";
    }

    private static string HeldOut()
    {
        var operations = MeasuredCharges.Operations;
        var queries = MeasuredCharges.Queries;
        (string Name, IEnumerable<MeasuredPoint> Points)[] groups =
        [
            ("creates, deletes and batches of flat documents", Of("test", "create", "delete")),
            ("replaces and patches", [.. Of("test", "replace"), .. Of("patch", "patch")]),
            ("point reads", Of("test", "read")),
            ("conflicts, refused writes, 404s and 429s", Of("info", "conflict", "rejected", "missing", "throttled")),
            ("nested documents", Of("nested", "create")),
            ("documents with a vector of 1,536 numbers", Of("blind", "create")),
            ("queries of one document or none", queries.Where(point => IsHeldOut(point) && point.Loaded <= 1)),
            ("queries of several documents", queries.Where(point => IsHeldOut(point) && point.Loaded > 1)),
            ("fitted, not held out: queries", queries.Where(point => point.Use == "fit")),
        ];
        var text = new StringBuilder(
            "| held out | points | within rounding | median error | root mean square | worst |\n|---|--:|--:|--:|--:|--:|\n");
        foreach (var (name, all) in groups)
        {
            List<MeasuredPoint> points = [.. all];
            List<double> sizes = [.. points.Select(point => Math.Abs(point.Error)).Order()];
            var median = (sizes[(sizes.Count - 1) / 2] + sizes[sizes.Count / 2]) / 2;
            var square = Math.Sqrt(sizes.Average(size => size * size));
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {points.Count} | {points.Count(point => point.IsWithinRounding)} | ");
            var worst = points.MaxBy(point => Math.Abs(point.Error))!.Error;
            text.Append(CultureInfo.InvariantCulture, $"{median:0.0%} | {square:0.0%} | {worst:+0.0%;-0.0%} |\n");
        }

        return text.ToString();

        IEnumerable<MeasuredPoint> Of(string use, params string[] kinds) =>
            operations.Where(point => point.Use == use && kinds.Contains(point.Kind));
        static bool IsHeldOut(MeasuredQuery point) => point.Use is "test" or "new" or "info";
    }

    private static string Missed()
    {
        var text = new StringBuilder("| point | measured | counted | why |\n|---|--:|--:|---|\n");
        foreach (var point in MeasuredCharges.Operations.Where(point => MeasuredCharges.Exceptions.ContainsKey(point.Id)))
            Append(point, OperationOf(point), MeasuredCharges.Exceptions[point.Id]);
        foreach (var point in MeasuredCharges.Operations.Where(
            point => point is { Use: "conflict", Kind: "create", IsWithinRounding: false }))
            Append(point, OperationOf(point), point.Id == "L9c" ? "an excluded object" : "a size assumed by who published it, 2019");
        foreach (var point in MeasuredCharges.Queries.Where(point => point.Use == "doc" && Math.Abs(point.Error) > 0.15))
        {
            Append(point, $"query {point.What}",
                point.Id[0] == 'E' ? "Eventual was charged half of Session for each KB" : "its query is not known");
        }

        foreach (var point in MeasuredCharges.Queries.Where(point => point.Use == "old"))
            Append(point, $"query {point.What}", "an account before 2020");
        return text.ToString();

        static string OperationOf(MeasuredCharge point) => string.Create(
            CultureInfo.InvariantCulture, $"{point.Kind}, {point.DocumentBytes:N0} bytes, {point.Entries} entries");
        void Append(MeasuredPoint point, string what, string why) => text.Append(
            CultureInfo.InvariantCulture, $"| {point.Id}: {what} | {point.RequestUnits:N2} | {point.Counted:N2} | {why} |\n");
    }

    private static string QueryParameters()
    {
        var query = new QueryCharges();
        return Fields(
            ("page", query.Page, "each page of each physical partition, also an empty one"),
            ("firstLookup", query.FirstLookup, "a page that the index serves by a condition, an ORDER BY or the key of the request"),
            ("furtherLookup", query.FurtherLookup,
                "each further condition, ORDER BY or value of IN; a COUNT is two look-ups and loads nothing"),
            ("document", query.Document, "each document loaded, also one that a scan rejects"),
            ("kilobyte", query.Kilobyte, "each KB of stored size loaded, and each KB of projected results"),
            ("found", query.Found, "each document that the index finds"),
            ("wholeKilobyte", query.WholeKilobyte, "each KB of stored size of documents that are returned whole, as by SELECT *"),
            ("evaluated", query.Evaluated, "each document on which a projection or a condition without index is evaluated"),
            ("property", query.Property, "each property of a projected result"),
            ("row", query.Row, "each row that JOIN or another FROM makes of a document, besides"));
    }

    private static string Parameters() => Fields(
        ("perIndexEntry", ChargeModel.IndexEntry, "RU of each index entry that a write adds or removes: 4/21"),
        ("systemPropertyBytes", ChargeModel.SystemPropertyBytes, "bytes that system properties add to the stored size"),
        ("perPatchedProperty", ChargeModel.PatchedProperty, "RU of each operation of a patch, beside 0.286 for the patch"));

    private static string Fields(params (string Name, double Value, string What)[] fields) =>
        "| field | default | what it is |\n|---|--:|---|\n" + string.Concat(fields.Select(field => string.Create(
            CultureInfo.InvariantCulture, $"| `{field.Name}` | {field.Value:0.####} | {field.What} |\n")));
}
