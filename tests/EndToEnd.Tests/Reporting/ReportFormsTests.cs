namespace ScaleOut.Tests.EndToEnd.Reporting;

/// <summary>The forms of reports of all kinds.</summary>
public sealed class ReportFormsTests
{
    public static TheoryData<string> Kinds => ["run", "experiment", "limit"];

    [Fact]
    public void Json_ReadBack_WritesTheSame()
    {
        AssertSame(RunForms.Kind, SampleForms.Run.Build());
        AssertSame(ExperimentForms.Kind, SampleForms.Experiment);
        AssertSame(LimitForms.Kind, SampleForms.Limit);

        static void AssertSame<TReport>(ReportKind<TReport> kind, TReport report)
            where TReport : class
        {
            var json = kind.Write(report);
            Assert.Equal(Encoding.UTF8.GetString(json), Encoding.UTF8.GetString(kind.Write(kind.Read(json))));
        }
    }

    [Fact]
    public void Json_TopLevel_HasTheContractsNames()
    {
        string[] contract =
        [
            "id", "name", "state", "simulated", "startedAt", "finishedAt", "spec", "documents", "requests", "lostLegs", "throughput",
            "requestUnits", "latencyMs", "boundBy", "distinctInstances", "workers", "partitions", "series", "warnings",
        ];
        using var json = JsonDocument.Parse(SampleForms.From("run")["report.json"]);
        var names = json.RootElement.EnumerateObject().Select(property => property.Name);

        Assert.Empty(contract.Except(names));
        Assert.Equal("complete", json.RootElement.GetProperty("state").GetString());
    }

    [Theory]
    [InlineData(
        "run", "report.csv", 41, "second,inserted,throttled,failed,requestUnits,overlap,worker0,worker1,worker2,worker3,partition0")]
    [InlineData(
        "experiment", "report.csv", 1 + (4 * 2), "variant,repeat,runId,state,ratePerSecond,rateIsOverlap,requestUnitsPerSecond,"
        + "requestUnitsPerOperation,callsPerOperation,latencyMeanMs,latencyP50Ms,latencyP96Ms,latencyP99Ms,throttled,boundBy,workers,"
        + "publishedPerSecond,findings,scale,simulated")]
    [InlineData(
        "experiment", "findings.csv", 3, "finding,kind,verdict,pValue,holmVerdict,holmPValue,effect,low95,high95,published,simulated")]
    [InlineData(
        "limit", "report.csv", 6, "askedPerSecond,runId,held,achievedPerSecond,latencyP50Ms,latencyP99Ms,throttledShare,"
        + "requestUnitsPerSecond,inFlight,errors,boundBy,notMet,simulated")]
    public void Csv_AnyKind_HasItsColumnsInEveryRow(string kind, string form, int count, string columns)
    {
        var rows = Rows(SampleForms.From(kind)[form]);
        Assert.Equal(count, rows.Count);
        Assert.StartsWith(columns, string.Join(',', rows[0]), StringComparison.Ordinal);
        Assert.Equal("simulated", rows[0][^1]);
        Assert.All(rows, row => Assert.Equal(rows[0].Length, row.Length));
        // Rows of what was not run or not tested say nothing about simulation.
        Assert.Equal("1", rows[1][^1]);
    }

    [Fact]
    public void Csv_EverySecondOfARun_HasWorkersThatAddUp()
    {
        var rows = Rows(SampleForms.From("run")["report.csv"]);
        Assert.Equal("2026-11-21T17:00:00Z", rows[1][0]);
        Assert.All(rows.Skip(1), row => Assert.Equal(long.Parse(row[1]), row.Skip(6).Take(4).Sum(long.Parse)));
        var real = SampleForms.From(RunForms.Kind, (SampleForms.Run with { Simulated = false }).Build());
        Assert.All(Rows(real["report.csv"]).Skip(1), row => Assert.Equal("0", row[^1]));
    }

    [Fact]
    public void Csv_TextThatASpreadsheetWouldEvaluate_IsEscaped()
    {
        Assert.Equal(
            ["\"'=one\"", "1", "sample-v01-r01", "complete", "100"], Rows(SampleForms.From("experiment")["report.csv"])[1].Take(5));
        var step = SampleForms.Limit.Steps[^1];
        var report = SampleForms.Limit with { Steps = [step with { Runs = [step.Runs[0] with { Reason = "=HYPERLINK(\"x\")" }] }] };
        Assert.Contains(",\"'=HYPERLINK(\"\"x\"\")\",", SampleForms.From(LimitForms.Kind, report)["report.csv"], StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Html_AnyText_IsWellFormedSelfContainedAndEscaped(string kind)
    {
        var html = SampleForms.From(kind)["report.html"];
        var page = XDocument.Parse(html);

        Assert.DoesNotContain("<script>alert", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("<b>", html, StringComparison.Ordinal);
        Assert.Contains("&lt;script&gt;alert(1)&lt;/script&gt;", html, StringComparison.Ordinal);
        Assert.DoesNotContain("http", OwnText(page), StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("url(", html, StringComparison.Ordinal);
        Assert.DoesNotContain(page.Descendants().Attributes("src"), _ => true);
        Assert.All(page.Descendants().Attributes("href"), link => Assert.StartsWith("#", link.Value, StringComparison.Ordinal));
        Assert.All(page.Descendants("figure"), figure => Assert.NotEmpty(figure.Element("figcaption")!.Value));
        var ids = page.Descendants().Attributes("id").Select(attribute => attribute.Value).ToList();
        Assert.Equal(ids.Distinct(), ids);
        Assert.DoesNotContain("NaN", html, StringComparison.Ordinal);
    }

    /// <summary>A browser runs only the scripts whose hashes are in the page's policy.</summary>
    [Fact]
    public void Html_Scripts_AreThoseThatThePolicyNames()
    {
        var page = XDocument.Parse(SampleForms.From("run")["report.html"], LoadOptions.PreserveWhitespace);
        var policy = page.Descendants("meta").Single(meta => meta.Attribute("http-equiv") is not null).Attribute("content")!.Value;
        var scripts = page.Descendants("script").Where(script => script.Attribute("type")?.Value != "application/json").ToList();

        Assert.Equal(2, scripts.Count);
        Assert.All(scripts, script =>
        {
            var text = string.Concat(script.Nodes().Select(node => node.ToString(SaveOptions.DisableFormatting)));
            Assert.Contains(Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text))), policy, StringComparison.Ordinal);
        });
        Assert.StartsWith("default-src 'none'", policy, StringComparison.Ordinal);
    }

    [Fact]
    public void Html_SixteenWorkersForTenMinutes_IsAtMost600Kilobytes()
    {
        var spec = SampleForms.Run.Spec with { Workers = 16, Documents = 3_000_000 };
        var report = (SampleForms.Run with { Seconds = 600, Partitions = 20, Spec = spec }).Build();
        Assert.Equal(16, report.Workers.Count);
        Assert.InRange(RunForms.Kind.Write(report, "report.html").Length, 60_000, 600 * 1_024);
    }

    [Theory]
    [InlineData("run", "header nav noscript key-figures chart-throughput what-bound-it")]
    [InlineData("experiment", "header nav noscript chart-rates")]
    [InlineData("limit", "header nav noscript chart-chances")]
    public void Html_FirstScreen_HasTheResultThenFiguresAndThePicture(string kind, string order)
    {
        var page = XDocument.Parse(SampleForms.From(kind)["report.html"]);
        var parts = page.Descendants("main").Single().Elements().ToList();
        var names = order.Split(' ');
        Assert.Equal(names, parts.Take(names.Length).Select(part => part.Attribute("id")?.Value ?? part.Name.LocalName));
        AssertSaysEverything(
            parts[0].Value
                + string.Concat(parts.Where(part => part.Attribute("id")?.Value == "what-bound-it").Select(part => part.Value)));
        Assert.All(
            page.Descendants("table"),
            table => Assert.Equal(table.Ancestors("details").Any(), table.Elements().First().Name.LocalName != "caption"));
    }

    [Theory]
    [InlineData("run", "report.csv and report.json")]
    [InlineData("experiment", "report.csv and findings.csv and report.json")]
    public void Html_WithoutScripts_SaysWhereItsNumbersAre(string kind, string files)
    {
        var page = XDocument.Parse(SampleForms.From(kind)["report.html"]);
        AssertText.Has(page.Descendants("noscript").Single().Value, "need JavaScript", "in the tables below", files);
        var withoutCharts = new ReportPage { Subject = "x", Result = ["y"], Parts = [ReportPart.List("List", ["b"])] };
        AssertText.Lacks(withoutCharts.ToHtml("report.json"), "noscript");
    }

    [Fact]
    public void Html_Run_ShowsFiveFiguresInTheOrderOfTheirQuestions() => Assert.Equal(
        ["Inserts per second", "Latency p99, ms", "Throttled", "RU/s, mean", "Verified documents"],
        XDocument.Parse(SampleForms.From("run")["report.html"]).Descendants("div")
            .Where(div => div.Attribute("class")?.Value == "label").Select(div => div.Value));

    [Theory, MemberData(nameof(Kinds))]
    public void Markdown_FirstParagraph_HasTheResult(string kind) => AssertSaysEverything(
        SampleForms.From(kind)["report.md"].Split("\n\n").First(paragraph => paragraph.StartsWith("**", StringComparison.Ordinal)));

    [Fact]
    public void Markdown_AnyText_StaysOneLineWithoutMarkup() => Assert.Equal(
        "# Run sample: \\<script\\>alert(1)\\</script\\> \\& \\| \"x\"  ", SampleForms.From("run")["report.md"].Split('\n')[0]);

    [Theory, MemberData(nameof(Kinds))]
    public void Text_AnyKind_HasTheResultFirstAndLinesThatFit(string kind)
    {
        var page = SampleForms.Page(kind);
        var endless = page.ToText();
        var narrow = page.ToText(width: 72);

        var opening = page.Result.Count + new[] { page.Bound, page.Next }.Count(line => line is not null);
        AssertSaysEverything(string.Join(' ', endless.Take(opening)));
        Assert.StartsWith($"Simulated: {page.Result[0]}", endless[0], StringComparison.Ordinal);
        Assert.All(narrow, line => Assert.InRange(line.Length, 0, 72));
        // Nothing is cut off: a narrow console has the same figures.
        Assert.All(
            endless.SelectMany(line => line.Split(' ')).Where(word => word.Any(char.IsDigit)),
            word => Assert.Contains(word.TrimEnd(',', '.', ';', ':'), string.Join(' ', narrow), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("run", "  Throttled ", "of 22,", "  Latency p99, ms ", "RU/s, mean", "Verified documents")]
    [InlineData("experiment", "  Variant ", "too few repeats", "  assumed", "not tested", "it needs more cores", "rank correlation")]
    [InlineData("limit", "  Asked per second ", "  holds ", "request units", "How the limit follows")]
    public void Text_AnyKind_HasTheDecisiveFigures(string kind, params string[] parts)
    {
        var text = string.Join('\n', SampleForms.Page(kind).ToText());
        Assert.All(parts, part => Assert.Contains(part, text, StringComparison.Ordinal));
        Assert.DoesNotContain("Notes of the spec", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Text_ManyWarnings_ShowsFiveAndCountsTheOthers()
    {
        var page = SampleForms.Page("run") with { Parts = [ReportPart.Warnings(["a", "b", "c", "d", "e", "f", "g"])] };
        Assert.Equal(["  - e", "  - 2 more in the report"], page.ToText().TakeLast(2));
        Assert.Contains("- g\n", page.ToMarkdown(), StringComparison.Ordinal);
    }

    [Fact]
    public void Text_WhatAUserWrote_DoesNotControlTheTerminal() => Assert.Equal(
        ["a [31mb"], new ReportPage { Subject = "", Result = ["a\u001b[31mb"], Parts = [] }.ToText());

    [Theory]
    [InlineData("run", "key figures", "inserts per second, asked for", "Physical partitions", "How much of each limit was used")]
    [InlineData(
        "experiment", "assumed", "not tested", "rank correlation", "Published against measured", "Order of pairs",
        "What bound each run", "What was not tested, and why", "it needs more cores", "Notes of the spec")]
    [InlineData("limit", "Rates that were tried", "Not met", "How the limit follows", "How it was measured")]
    public void Markdown_AnyKind_HasEveryPart(string kind, params string[] parts) => Assert.All(
        parts, part => Assert.Contains(part, SampleForms.From(kind)["report.md"], StringComparison.OrdinalIgnoreCase));

    [Theory]
    [InlineData("report.html")]
    [InlineData("report.md")]
    public void Write_SimulatedOrRealAccount_SaysSo(string form)
    {
        Assert.All(Kinds, kind => Assert.Contains("from the simulated account", SampleForms.From(kind)[form], StringComparison.Ordinal));
        var real = SampleForms.From(RunForms.Kind, (SampleForms.Run with { Simulated = false }).Build())[form];
        Assert.DoesNotContain("simulated account", real, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("assumed even", real, StringComparison.Ordinal);
        Assert.DoesNotContain("assumed even", SampleForms.From("run")[form], StringComparison.Ordinal);
        AssertText.Lacks(SampleForms.From(ExperimentForms.Kind, SampleForms.ExperimentOn(simulated: false))[form], "simulated account");
    }

    [Fact]
    public void Html_RunWithATargetRate_SaysEverywhereHowMuchOfItWasAchieved()
    {
        var report = SampleForms.Run.Build();

        Assert.Equal(800, report.Throughput.AskedPerSecond);
        Assert.All(report.Workers, worker => Assert.Equal(200, worker.Throughput.AskedPerSecond));
        Assert.Contains(" of the 800 inserts per second asked for by 4 workers", Sentences.Headline(report), StringComparison.Ordinal);
        Assert.All(
            ["asked for, 800/s", "inserts per second, asked for", "Asked/s", "of the 800 asked for"],
            text => Assert.Contains(text, SampleForms.From("run")["report.html"], StringComparison.OrdinalIgnoreCase));
        var closed = SampleForms.Run with { Spec = SampleForms.Run.Spec with { Client = new() } };
        Assert.Null(closed.Build().Throughput.AskedPerSecond);
    }

    [Fact]
    public void Html_Limit_MarksTheIntervalAndHasADotForEachRun()
    {
        var page = XDocument.Parse(SampleForms.From("limit")["report.html"]);
        var charts = page.Descendants("figure").Select(figure => JsonNode.Parse(figure.Element("script")!.Value)!).ToList();
        int DotsOf(JsonNode chart) => chart["series"]!.AsArray().Where(one => (string?)one!["kind"] == "dots")
            .Sum(one => one!["y"]!.AsArray().Count);
        Assert.Equal([5, 2 * 5], charts.Select(DotsOf));
        Assert.Contains("95% band", charts[0].ToJsonString(), StringComparison.Ordinal);
        Assert.All(charts, chart => Assert.Contains("95% interval of the limit", chart.ToJsonString(), StringComparison.Ordinal));
    }

    private static List<string[]> Rows(string csv) =>
        [.. csv.Split("\r\n", StringSplitOptions.RemoveEmptyEntries).Select(row => row.Split(','))];

    private static string OwnText(XDocument page) => string.Concat(
        page.Descendants().Where(one => one.Name.LocalName is not ("script" or "style")).Attributes()
            .Where(one => one.Name.LocalName is "src" or "href" or "style").Select(one => one.Value))
        + string.Concat(
            page.Descendants("script").Where(one => one.Attribute("type")?.Value == "application/json").Select(one => one.Value));

    private static void AssertSaysEverything(string result)
    {
        Assert.Matches("[0-9] .*(per second|/s)", result);
        Assert.Contains("ound by ", result.Replace("stopped by", "bound by", StringComparison.Ordinal), StringComparison.Ordinal);
        AssertText.Has(result, "Next step: ", "Cosmos DB");
    }
}
