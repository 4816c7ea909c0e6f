using ScaleOut.Simulator.Engine;

namespace ScaleOut.Tests.Simulator.Engine.Resources;

public sealed class DatabaseResourceTests
{
    private const int Replacements = 20_000;

    [Fact]
    public void Rescale_AtOnceByTwo_CountsEachReplacement()
    {
        using var engine = new AccountEngine(new SimulationSpec(), seed: 1, TimeProvider.System, NullLogger.Instance);
        var offer = new Offer { Throughput = 400, Autoscale = false };
        var database = engine.Catalog.CreateDatabase("d", offer);

        var threads = Enumerable.Range(0, 2).Select(_ => new Thread(() =>
        {
            for (var i = 0; i < Replacements; i++)
                database.Rescale(offer);
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());

        Assert.Equal(2 * Replacements, database.Revision);
    }
}
