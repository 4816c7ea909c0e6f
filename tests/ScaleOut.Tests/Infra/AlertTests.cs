namespace ScaleOut.Tests.Infra;

/// <summary>The windows of the alerts against what their queries look at.</summary>
public sealed class AlertTests
{
    private static readonly string Rules = InfraFiles.Read("app/alerts.bicep");

    private static readonly string Query = InfraFiles.Read("alert-queries/throttled-share.kql");

    /// <summary>
    /// Of a run whose newest record is at most so old, the minutes that are judged lie in the window: up to five whole ones, and what was
    /// begun of a sixth. At least one evaluation comes in that time.
    /// </summary>
    [Fact]
    public void ThrottledShare_JudgedMinutes_LieInTheWindow()
    {
        var age = Number(Query, @"until > ago\((\d+)m\)");
        var judged = Number(Query, @"newest <= (\d+)");
        var (window, frequency) = Times("throttledShare");

        Assert.True(age + judged + 1 <= window, $"{age} + {judged} + 1 minutes are more than {window}");
        Assert.True(age > frequency);
    }

    /// <summary>What the description of the deployment says of them.</summary>
    [Fact]
    public void Readme_Minutes_AreThoseOfTheRules()
    {
        var readme = Regex.Replace(InfraFiles.Read("README.md"), @"\s+", " ");
        var (window, frequency) = Times("failedRun");
        var late = Number(Query, @"until > ago\((\d+)m\)") - frequency;

        Assert.Contains(
            $"looks back {window} minutes, so a record may come up to {window - frequency} minutes after its timestamp",
            readme,
            StringComparison.Ordinal);
        Assert.Contains($"Records that come later than {late} minutes can be missed", readme, StringComparison.Ordinal);
    }

    /// <summary>A run of fewer minutes is judged by those that it has: nothing demands five.</summary>
    [Fact]
    public void ThrottledShare_ShortRuns_AreJudged()
    {
        Assert.DoesNotMatch(@"==\s*5\b", Query);
        Assert.Contains("where minute >= from and minute + 1m <= until", Query, StringComparison.Ordinal);
        Assert.Contains("metricMeasureColumn: 'throttledPercent'", Rule("throttledShare"), StringComparison.Ordinal);
        Assert.EndsWith("throttledPercent = 100 * throttled / attempts", Query.TrimEnd(), StringComparison.Ordinal);
    }

    private static (int Window, int Frequency) Times(string symbol) =>
        (Number(Rule(symbol), @"windowSize: 'PT(\d+)M'"), Number(Rule(symbol), @"evaluationFrequency: 'PT(\d+)M'"));

    private static string Rule(string symbol)
    {
        var from = Rules.IndexOf($"resource {symbol} ", StringComparison.Ordinal);
        Assert.True(from >= 0, symbol);
        return Rules[from..(Rules.IndexOf("\n}\n", from, StringComparison.Ordinal) + 1)];
    }

    private static int Number(string text, string pattern) =>
        int.Parse(Regex.Match(text, pattern).Groups[1].Value, CultureInfo.InvariantCulture);
}
