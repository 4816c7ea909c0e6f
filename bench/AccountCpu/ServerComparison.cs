using ScaleOut.Bench.Pairing;

namespace ScaleOut.Bench.AccountCpu;

/// <summary>Measures the CPU per insert of the account and of a bare server in pairs, and prints the ratio.</summary>
/// <param name="Bare">Name of the server that the account is compared with.</param>
/// <param name="Limit">Largest allowed ratio of account and bare server.</param>
public sealed record ServerComparison(BenchSettings Settings, string Bare, double Limit)
{
    private const int Warming = 8;

    /// <param name="account">Gives the CPU seconds of the account for <see cref="BenchSettings.Documents"/> inserts.</param>
    /// <param name="bare">Gives the same for the bare server.</param>
    public async Task RunAsync(Func<Task<double>> account, Func<Task<double>> bare)
    {
        Console.WriteLine($"account: {Settings.Mode}, {Settings.Concurrency} in flight, {Settings.Documents:N0} documents a measurement");
        for (var warm = 0; warm < Warming; warm++)
            (_, _) = (await account(), await bare());

        double PerInsert(double seconds) => seconds / Settings.Documents * 1e6;
        var ratio = await PairedRatio.MeasureAsync(
            Settings.Pairs, account, bare, (mine, theirs) => Console.WriteLine(FormattableString.Invariant(
            $"  account {PerInsert(mine):0.0} us, {Bare} {PerInsert(theirs):0.0} us of CPU per insert; ratio {mine / theirs:0.000}")));
        History.Conclude($"account CPU per insert in {Settings.Mode}, account / {Bare}: {ratio.Judge(Limit)}");
    }
}
