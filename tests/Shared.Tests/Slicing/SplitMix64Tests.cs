namespace ScaleOut.Tests.Shared.Slicing;

public sealed class SplitMix64Tests
{
    /// <summary>The numbers of the published generator (Vigna, splitmix64.c) that begins with the state 1234567.</summary>
    [Fact]
    public void At_CountersOneStepApart_AreThePublishedNumbers()
    {
        ulong[] published =
            [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821];

        Assert.Equal(published, published.Select((_, i) => SplitMix64.At(unchecked(1_234_567 + ((ulong)(i + 1) * SplitMix64.Gamma)))));
    }
}
