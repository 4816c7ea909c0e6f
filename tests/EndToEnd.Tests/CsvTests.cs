namespace ScaleOut.Tests.EndToEnd;

/// <summary>Rows of a user's own CSV file as documents.</summary>
public sealed class CsvTests : ProgramInFolder
{
    /// <summary>Three entries of any document and two for each of three columns, in a row of 1 KB: 4 x (26 + 9) / 21.</summary>
    private const string Charge = "6.67";

    [Fact]
    public async Task Validate_OwnCsv_SaysWhatItsRowsCost()
    {
        await WriteOrdersAsync();
        var output = await OutputAsync("validate", "--csv", "orders.csv", "--key-column", "tenantId", "--documents", "1000");

        AssertText.Has(
            output, """{"id":"o-0","tenantId":"t0","amount":0.50,"zip":"00100"}""", "the 40 rows of the file repeat in 1,000 documents",
            "9 index entries: 3, 3 paths, 3 values", $"{Charge} RU to create", $", {Charge} for each insert", "the key is /tenantId");
    }

    /// <summary>Twenty of the forty rows are of one tenant.</summary>
    [Fact]
    public async Task Size_OwnCsv_HasTheEntriesAndTheKeysOfItsRows()
    {
        await WriteOrdersAsync();
        string[] asked = ["size", "--csv", "orders.csv", "--key-column", "tenantId", "--cpu-per-operation", "1ms", "--rate"];

        AssertText.Has(await OutputAsync([.. asked, "100"]), "bytes, 9 index entries", "the mean of the file's rows", $"{Charge} RU each");
        var spec = JsonNode.Parse(await File.ReadAllTextAsync(In("sized.json"), Cancellation))!["document"]!;
        Assert.Equal(("csv", "tenantId", In("orders.csv")), ((string?)spec["kind"], (string?)spec["keyColumn"], (string?)spec["csv"]));
        var hot = await CommandAsync([.. asked, "4000"]);
        AssertEnded(hot, exitCode: 1);
        AssertText.Has(hot.Output, "/tenantId \"t0\" alone needs ");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_OwnCsv_WritesItsRowsAndSaysThatTheyRepeat()
    {
        await WriteOrdersAsync();
        using var program = await RunAsync(
            "run", "--csv", "orders.csv", "--key-column", "tenantId", "--documents", "100", "--workers", "1", "--id", "own");
        AssertEnded(program);

        var report = Finished("own").Report;
        Assert.Equal((100, 0), (report.Documents.Inserted, report.Documents.AlreadyPresent));
        Assert.Equal(double.Parse(Charge, CultureInfo.InvariantCulture), report.RequestUnits.PerInsert!.Value, 0.01);
        AssertText.Has(
            await File.ReadAllTextAsync(In("runs", "own", "report.md"), Cancellation), "its 40 rows repeat in 100 documents", "orders.csv");
    }

    [Theory]
    [InlineData("none.csv", "t", "document.csv: there is no file \"", "none.csv\" (given as --csv)")]
    [InlineData("empty.csv", "t", "empty.csv\" is empty")]
    [InlineData("header.csv", "t", "header.csv\" has no rows")]
    [InlineData("twice.csv", "t", "twice.csv\": line 1: the header has the column \"t\" twice")]
    [InlineData("ragged.csv", "t", "ragged.csv\": 2 of 3 rows are broken: line 3 (another number of columns than the header), line 4 (")]
    [InlineData("ragged.csv", "u", "ragged.csv\": line 1: the header has no column \"u\"; it has t, n (given as --key-column)", "line 3 (")]
    [InlineData("latin.csv", "t", "latin.csv\": line 2 is not in UTF-8")]
    [InlineData("latin.csv", null, "document.keyColumn: is missing: kind csv needs it")]
    public async Task Command_BadCsv_NamesFileAndLine(string file, string? key, params string[] errors)
    {
        await WriteAsync("empty.csv", "\n");
        await WriteAsync("header.csv", "t,n\n");
        await WriteAsync("twice.csv", "t,t\n1,2\n");
        await WriteAsync("ragged.csv", "t,n\n1,2\n3\n4,5,6\n");
        await File.WriteAllBytesAsync(In("latin.csv"), Encoding.Latin1.GetBytes("t\nK\u00f6ln\n"), Cancellation);
        string[] options = ["--csv", file, .. key is null ? [] : (string[])["--key-column", key]];

        AssertRejected(await CommandAsync(["validate", .. options]), errors);
        AssertRejected(await CommandAsync(["run", .. options]), errors);
        AssertRejected(await CommandAsync(["size", "--rate", "100", "--cpu-per-operation", "1ms", .. options]), errors);
    }

    [Theory]
    [InlineData("validate")]
    [InlineData("size", "--rate", "100", "--cpu-per-operation", "1ms")]
    public async Task Command_CsvBesideADocument_IsRejected(params string[] command)
    {
        await WriteOrdersAsync();
        AssertRejected(
            await CommandAsync([.. command, "--csv", "orders.csv", "--key-column", "tenantId", "--document", "device"]),
            "--csv: not beside --document");
    }

    /// <summary>Another file in place of a spec's template or file; the key column stays that of the spec.</summary>
    [Theory]
    [InlineData("""{ "document": { "kind": "template", "template": { "a": "{{key}}" } } }""", "--key-column", "tenantId")]
    [InlineData("""{ "document": { "kind": "csv", "csv": "none.csv", "keyColumn": "tenantId" } }""")]
    public async Task Validate_CsvInPlaceOfTheSpecsDocuments_Replaces(string spec, params string[] options)
    {
        await WriteOrdersAsync();
        await WriteAsync("spec.json", spec);
        AssertText.Has(await OutputAsync(["validate", "spec.json", "--csv", "orders.csv", .. options]), "the key is /tenantId");
    }

    private Task WriteOrdersAsync() => WriteAsync(
        "orders.csv",
        "id,tenantId,amount,zip\n" + string.Concat(Enumerable.Range(0, 40).Select(
            row => string.Create(CultureInfo.InvariantCulture, $"o-{row},t{(row % 2 == 0 ? 0 : row)},{row}.50,{row:00}100\n"))));

    private async Task<string> OutputAsync(params string[] arguments)
    {
        var response = await CommandAsync(arguments);
        AssertEnded(response);
        return response.Output;
    }
}
