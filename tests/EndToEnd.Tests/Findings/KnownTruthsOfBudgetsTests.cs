namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>
/// The truth is what the clients could do, and a budget hides it by limiting their rates. A budget must not lead to a wrong verdict. Only
/// the rates of the runs show which of them the budget limited.
/// </summary>
public sealed class KnownTruthsOfBudgetsTests
{
    private const double MaxWrong = 0.05;

    [Theory(Explicit = true)]
    [InlineData(0.5, "far below both")]
    [InlineData(0.97, "just below both")]
    [InlineData(1.05, "just above Gateway")]
    [InlineData(1.3, "between both")]
    [InlineData(1.6, "just above both")]
    [Trait("Duration", "Long")]
    public void Evaluate_DirectTrulyBetterUnderABudget_IsSeldomRefuted(double budget, string where) =>
        Assert.InRange(
            Rates(FindingKind.DirectBeatsGateway, 8.3 / 5.3, budget, $"a hop of 3 ms, the budget {where}").Refuted, 0, MaxWrong);

    [Theory(Explicit = true)]
    [InlineData(0.5, "far below both")]
    [InlineData(0.97, "just below both")]
    [InlineData(1.0, "where both are")]
    [InlineData(1.05, "just above both")]
    [Trait("Duration", "Long")]
    public void Evaluate_DirectNotBetterUnderABudget_IsSeldomSupported(double budget, string where) =>
        Assert.InRange(Rates(FindingKind.DirectBeatsGateway, 1, budget, $"a hop of 0 ms, the budget {where}").Supported, 0, MaxWrong);

    [Theory(Explicit = true)]
    [InlineData(0.5, "far below both")]
    [InlineData(0.97, "just below both")]
    [InlineData(1.0, "where the slower one is")]
    [InlineData(1.05, "between both")]
    [Trait("Duration", "Long")]
    public void Evaluate_DifferenceHiddenByABudget_IsSeldomCalledSameness(double budget, string where) =>
        Assert.InRange(Rates(FindingKind.MaxConnections, 1.1, budget, $"10% apart, the budget {where}").Supported, 0, MaxWrong);

    private static VerdictRates Rates(FindingKind kind, double ratio, double budget, string name) =>
        VerdictRates.From(
            name, new() { Kind = kind }, _ => [.. Pairs.From(kind, ratio).Select(truth => truth with { Budget = 1_000 * budget })]);
}
