using System.Xml;
using ScaleOut.Workers.Progress;

namespace ScaleOut.Tests.Infra;

/// <summary>The windows of the alerts against what their queries look at.</summary>
public sealed class AlertTests
{
    private const string Type = "Microsoft.Insights/scheduledQueryRules";

    private static readonly string Query = InfraFiles.Read("alert-queries/throttled-share.kql");
    private static readonly string Silence = InfraFiles.Read("alert-queries/silent-timer.kql");
    private static readonly string Trouble = InfraFiles.Read("alert-queries/app-trouble.kql");

    /// <summary>
    /// The judged minutes of a run lie in the window if its newest record is recent enough: up to five whole minutes and a part of a
    /// sixth. At least one evaluation comes in that time.
    /// </summary>
    [Fact]
    public void ThrottledShare_JudgedMinutes_LieInTheWindow()
    {
        var age = Number(Query, @"until > ago\((\d+)m\)");
        var judged = Number(Query, @"newest <= (\d+)");
        var (window, frequency) = Times("run-throttled-share");
        Assert.True(age + judged + 1 <= window, $"{age} + {judged} + 1 minutes are more than {window}");
        Assert.True(age > frequency);
    }

    /// <summary>The description of the deployment states the same minutes.</summary>
    [Fact]
    public void Readme_Minutes_AreThoseOfTheRules()
    {
        var readme = Readme();
        var (window, frequency) = Times("run-failed");
        var late = Number(Query, @"until > ago\((\d+)m\)") - frequency;

        Assert.Contains(
            $"looks back {window} minutes, so a record may come up to {window - frequency} minutes after its timestamp",
            readme,
            StringComparison.Ordinal);
        Assert.Contains($"Records that come later than {late} minutes can be missed", readme, StringComparison.Ordinal);
    }

    /// <summary>A run of fewer than five minutes is judged by the minutes that it has.</summary>
    [Fact]
    public void ThrottledShare_ShortRuns_AreJudged()
    {
        var criterion = Assert.Single(Deployment.Default.Properties(Type, "run-throttled-share")["criteria"]!["allOf"]!.AsArray())!;
        Assert.DoesNotMatch(@"==\s*5\b", Query);
        Assert.Contains("where minute >= from and minute + 1m <= until", Query, StringComparison.Ordinal);
        Assert.Equal("throttledPercent", (string)criterion["metricMeasureColumn"]!);
        Assert.EndsWith("throttledPercent = 100 * throttled / attempts", Query.TrimEnd(), StringComparison.Ordinal);
    }

    /// <summary>States of the record that ends a run; see <see cref="ApplicationInsightsNames.RunEnded"/>.</summary>
    [Theory]
    [InlineData("failed", true)]
    [InlineData("incomplete", true)]
    [InlineData(ApplicationInsightsNames.Lost, true)]
    [InlineData("complete", false)]
    [InlineData("stopped", false)]
    public void RunFailed_State_DecidesWhetherItFires(string state, bool fires)
    {
        var query = (string)Deployment.Default.Properties(Type, "run-failed")["criteria"]!["allOf"]![0]!["query"]!;
        var states = Regex.Match(query, @"customDimensions\.state\) in \((?<states>[^)]+)\)").Groups["states"].Value;
        Assert.Equal(fires, states.Split(", ").Contains($"'{state}'"));
    }

    /// <summary>Every timer that runs each hour has its heartbeat, which the host records and nothing samples.</summary>
    [Fact]
    public void TimerSilent_Timers_AreThoseOfTheApp()
    {
        var timers = Regex.Matches(
            InfraFiles.ReadTop("Orchestrator/Maintenance/MaintenanceFunctions.cs"),
            @"\[Function\(""(?<name>\w+)""\)\][^\[]+\[TimerTrigger\(""\d+ \*/(?<minutes>\d+) [* ]+""\)\]");
        var sampling = JsonNode.Parse(InfraFiles.ReadTop("host.json"))!["logging"]!["applicationInsights"]!["samplingSettings"]!;
        var judged = Regex.Match(Silence, @"datatable\(timer: string\)\[(?<names>[^\]]+)\]").Groups["names"].Value.Split(", ");

        Assert.NotEmpty(timers);
        Assert.Equal(
            timers.Select(timer => $"'{timer.Groups["name"].Value}'").Order(StringComparer.Ordinal),
            judged.Order(StringComparer.Ordinal));
        Assert.Contains("Request", ((string)sampling["excludedTypes"]!).Split(';'));
        // A late record or a failed execution or two is no silence.
        Assert.All(timers, timer => Assert.InRange(
            int.Parse(timer.Groups["minutes"].Value, CultureInfo.InvariantCulture), 1, 60 * Number(Silence, @"silence = (\d+)h") / 4));
    }

    /// <summary>Records from before the silence, by which the app is known to be there, are in the window of an evaluation.</summary>
    [Fact]
    public void TimerSilent_RecordsBeforeTheSilence_AreInTheWindow()
    {
        var (window, frequency) = Times("timer-silent");
        Assert.True(60 * Number(Silence, @"silence = (\d+)h") + frequency < window);
        Assert.Contains("where oldest < ago(silence) and (isnull(newest) or newest < ago(silence))", Silence, StringComparison.Ordinal);
        Assert.Contains("fires when a timer has no successful execution in two hours", Readme(), StringComparison.Ordinal);
        Assert.Equal(2, Number(Silence, @"silence = (\d+)h"));
    }

    /// <summary>A rule is made when tables and columns of a new component may not be known yet.</summary>
    [Fact]
    public void Rules_Queries_AreNotValidatedWhenTheyAreMade() => Assert.All(
        Deployment.Default.OfType(Type), rule => Assert.True((bool)rule["properties"]!["skipQueryValidation"]!));

    /// <summary>The Functions host records "dotnet exited with code 137 (0x89)"; 0 is no crash.</summary>
    [Theory]
    [InlineData("dotnet exited with code 139 (0x8B)", true)]
    [InlineData("dotnet exited with code -532462766 (0xE0434352)", true)]
    [InlineData("dotnet exited with code 0 (0x0)", false)]
    public void AppTrouble_ExitCode_DecidesWhetherItFires(string message, bool fires)
    {
        var pattern = Regex.Match(Trouble, @"matches regex @'(?<pattern>[^']+)'").Groups["pattern"].Value;
        Assert.Equal(fires, Regex.IsMatch(message, pattern));
    }

    [Fact]
    public void AppTrouble_Queue_IsThatOfPoisonMessages() =>
        Assert.Contains($"message has '{QueuedProgress.PoisonName}'", Trouble, StringComparison.Ordinal);

    /// <summary>A record that comes as late as the README says is in the window of one evaluation.</summary>
    [Theory]
    [InlineData("app-trouble", 15)]
    [InlineData("telemetry-quota", 60)]
    public void Rule_LateRecords_AreFound(string rule, int late)
    {
        var (window, frequency) = Times(rule);
        Assert.True(window - frequency >= late);
    }

    /// <summary>A rule on a metric of the platform costs next to nothing; only the workspace knows its quota.</summary>
    [Fact]
    public void Rules_Scopes_AreAppComponentAndWorkspace()
    {
        var metric = Deployment.Default.OfType("Microsoft.Insights/metricAlerts").Single()["properties"]!;
        Assert.Equal("Http5xx", (string)Assert.Single(metric["criteria"]!["allOf"]!.AsArray())!["metricName"]!);
        Assert.Contains("Microsoft.Web/sites", (string)metric["scopes"]![0]!, StringComparison.Ordinal);
        Assert.All(Deployment.Default.OfType(Type), rule => Assert.Contains(
            (string)rule["name"]! == "telemetry-quota" ? "Microsoft.OperationalInsights/workspaces" : "Microsoft.Insights/components",
            (string)rule["properties"]!["scopes"]![0]!, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>A log alert costs by how often it is evaluated; the documents say what all of them cost in a month.</summary>
    [Fact]
    public void Rules_Prices_AreThoseOfTheDocuments()
    {
        // USD a month: 1.50 every five minutes, 0.50 every fifteen or seldomer.
        var sum = Deployment.Default.OfType(Type).Sum(rule => Times((string)rule["name"]!).Frequency < 15 ? 1.5 : 0.5);
        var said = string.Create(CultureInfo.InvariantCulture, $"the {Deployment.Default.OfType(Type).Count()} log alerts, {sum:0.00} USD");
        Assert.Contains(said, Regex.Replace(InfraFiles.ReadTop("docs/azure.md"), @"\s+", " "), StringComparison.Ordinal);
    }

    [Fact]
    public void Rules_Mail_IsSentOnlyWhereThereIsAnAddress()
    {
        Assert.Empty(Deployment.Default.OfType("Microsoft.Insights/actionGroups"));
        Assert.All(Deployment.Default.OfType(Type), rule => Assert.Empty(ActionGroups(rule)));
        Assert.Single(Deployment.Network.OfType("Microsoft.Insights/actionGroups"));
        Assert.All(Deployment.Network.OfType(Type), rule => Assert.Single(ActionGroups(rule)));

        static JsonArray ActionGroups(JsonObject rule) => rule["properties"]!["actions"]!["actionGroups"]!.AsArray();
    }

    private static string Readme() => Regex.Replace(InfraFiles.Read("README.md"), @"\s+", " ");

    private static (int Window, int Frequency) Times(string rule)
    {
        var properties = Deployment.Default.Properties(Type, rule);
        return (Minutes("windowSize"), Minutes("evaluationFrequency"));

        int Minutes(string name) => (int)XmlConvert.ToTimeSpan((string)properties[name]!).TotalMinutes;
    }

    private static int Number(string text, string pattern) =>
        int.Parse(Regex.Match(text, pattern).Groups[1].Value, CultureInfo.InvariantCulture);
}
