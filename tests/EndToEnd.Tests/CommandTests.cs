namespace ScaleOut.Tests.EndToEnd;

public sealed class CommandTests : ProgramInFolder
{
    private static string Prices => Path.Combine(RepositoryFiles.Root, "infra", "prices.json");

    [Fact]
    public async Task Help_Root_HasExamplesAndNoInternalCommand()
    {
        using var program = await RunAsync("--help");

        AssertEnded(program);
        Assert.Contains("devbox resume nightly", program.Output, StringComparison.Ordinal);
        Assert.Contains("130 stopped", program.Output, StringComparison.Ordinal);
        Assert.DoesNotMatch(@"(?m)^  worker\b", program.Output);
        Assert.Matches(@"(?m)^  resume\b", program.Output);
    }

    [Fact]
    public async Task Validate_Spec_PrintsTheEstimate()
    {
        var program = await CommandAsync("validate", "--documents", "100000", "--throughput", "10000", "--id", "mine");

        AssertEnded(program);
        Assert.Contains("valid: run mine: 100,000 documents, 4 workers", program.Output, StringComparison.Ordinal);
        Assert.Contains("705,000", program.Output, StringComparison.Ordinal);
        Assert.Contains("at least 1 min 1", program.Output, StringComparison.Ordinal);
        Assert.Matches(
            @"  memory         about \d+ MiB in the simulated account and \d+ MiB in the workers, of [\d.]+ [MG]iB\n", program.Output);
        Assert.Matches(@"  open files     about \d+ in (this program|a worker|the simulated account), of [\d,]+\n", program.Output);
    }

    /// <summary>RU follow from the sample's bytes as documented, partitions from the RU/s, and the cost from the price list.</summary>
    [Fact]
    public async Task Validate_Orders_SaysBytesRequestUnitsPartitionsAndCost()
    {
        var orders = Path.Combine(RepositoryFiles.Plans, "orders.json");
        var program = await CommandAsync("validate", orders, "--prices", Prices);

        AssertEnded(program);
        var document = Regex.Match(program.Output, @"  document +([\d,]+) bytes \([\d,]+ to [\d,]+\), such as (\{.*\})\n");
        Assert.StartsWith("customer-", (string?)JsonNode.Parse(document.Groups[2].Value)!["customerId"], StringComparison.Ordinal);
        var bytes = int.Parse(document.Groups[1].Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture);
        Assert.InRange(bytes, 1_150, 1_250);
        var charge = Regex.Match(program.Output, @"request units  [\d,]+, ([\d.]+) for each insert\n").Groups[1].Value;
        // customerId, orderNumber, status, placedAt, currency, total, shipTo and its five properties, each with path and value.
        var expected = ScaleOut.Charges.ChargeModel.Default.Create(bytes, entries: 3 + (2 * 12)).Value;
        Assert.InRange(double.Parse(charge, CultureInfo.InvariantCulture), 0.97 * expected, 1.03 * expected);
        Assert.Contains(
            "  partitions     4 physical, each with 5,000 of the 20,000 RU/s; the key is /customerId\n", program.Output,
            StringComparison.Ordinal);
        Assert.Contains(
            "  cost           1.60 USD an hour, 1,168.00 USD a month of 730 hours, for 20,000 RU/s\n", program.Output,
            StringComparison.Ordinal);
        Assert.Matches(
            @"  cost           1\.6\d USD for this run in Azure: in all without scheduler actions, with each hour", program.Output);
    }

    [Fact]
    public async Task Validate_LongDocument_ShowsItsBeginning()
    {
        var note = new string('é', 4_000);
        await WriteAsync(
            "long.json",
            $$$"""{ "documents": 10, "document": { "kind": "template", "template": { "id": "{{id}}", "note": "a{{{note}}}" } } }""");

        var program = await CommandAsync("validate", "long.json");

        AssertEnded(program);
        var document = program.Output.Split('\n').Single(line => line.StartsWith("  document ", StringComparison.Ordinal));
        Assert.Matches(@"8,0\d\d bytes.*, such as one that begins with \{""id"":", document);
        Assert.EndsWith("éé…", document, StringComparison.Ordinal);
        Assert.InRange(document.Length, 2_000, 2_150);
    }

    [Fact]
    public async Task Validate_PricesOfAnExperiment_AreRejected()
    {
        var program = await CommandAsync("validate", Path.Combine(RepositoryFiles.Plans, "scale-out.json"), "--prices", Prices);
        AssertRejected(program, "--prices: only for the spec of a run");
    }

    [Fact]
    public async Task Run_JsonToOutput_WritesNothingElseThere()
    {
        using var program = await RunAsync("--documents", "1000", "--workers", "1", "--json", "-", "--out", "there");

        AssertEnded(program);
        var report = JsonSerializer.Deserialize<RunReport>(program.Output, ScaleOutJson.Compact)!;
        Assert.Equal(1_000, report.Documents.Verified);
        Assert.Contains("the account's ledger agrees", program.Errors, StringComparison.Ordinal);
        Assert.Contains("memory: about ", program.Errors, StringComparison.Ordinal);
        var run = new FinishedRun(In("there"), report.Id);
        Assert.All(
            ["report.json", "report.html", "report.md", "report.csv", "spec.json", "account.json"],
            name => Assert.True(run.Has(name), name));
        Assert.False(run.Has("account.key"));
    }

    [Fact]
    public async Task Account_Alone_ServesUntilInterrupted()
    {
        using var program = Start(
            ["account", "--cert", "account.pem"], new Dictionary<string, string> { ["SIMULATED_ACCOUNT_KEY"] = "c2VjcmV0" });
        await Until.HoldsAsync(() => program.HasExited || program.Output.Contains("/ledger", StringComparison.Ordinal), "the account");

        string Value(string name) =>
            program.Output.Split('\n').Single(line => line.Contains(name, StringComparison.Ordinal)).Split(' ')[^1].Trim();
        using var certificate = X509CertificateLoader.LoadCertificateFromFile(In("account.pem"));
        Assert.Equal(Value("certificate "), certificate.GetCertHashString(HashAlgorithmName.SHA256));
        Assert.Equal("c2VjcmV0", Value("key "));
        using var http = new HttpClient();
        Assert.Equal(HttpStatusCode.Unauthorized, (await http.GetAsync(new Uri(Value("over HTTP ")), Cancellation)).StatusCode);
        Assert.Contains("\"wireRequests\":1", await http.GetStringAsync(new Uri(Value("ledger ")), Cancellation), StringComparison.Ordinal);

        await SignalAsync(program, Signals.Interrupt);
        AssertEnded(program);
    }

    [Fact]
    public async Task Worker_WithoutAParentProcess_Ends()
    {
        using var program = await RunAsync("worker");
        AssertEnded(program);
        Assert.Empty(program.Output);
    }
}
