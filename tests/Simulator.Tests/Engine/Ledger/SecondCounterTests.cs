namespace ScaleOut.Tests.Simulator.Engine.Ledger;

public sealed class SecondCounterTests
{
    [Fact]
    public void Add_SeveralSeconds_KeepsEachAndOmitsEmptyOnes()
    {
        var ledger = new SecondCounter(100);
        ledger.Add(1_000, Hundredths(571), 0);
        ledger.Add(1_000, Hundredths(571), 1);
        ledger.Add(1_037, Hundredths(0), 2);
        Assert.Equal([new SecondLedger(1_000, 11.42, 1), new SecondLedger(1_037, 0, 2)], ledger.Read());
    }

    [Fact]
    public void Add_MoreSecondsThanTheLimit_ForgetsTheOldest()
    {
        var ledger = new SecondCounter(300);
        for (var second = 0; second < 10_000; second++)
            ledger.Add(1_000_000 + second, Hundredths(second), 0);
        Assert.Equal(Enumerable.Range(9_700, 300).Select(second => 1_000_000L + second), ledger.Read().Select(ledger => ledger.Second));
        Assert.Equal(Enumerable.Range(9_700, 300).Select(second => second / 100.0), ledger.Read().Select(ledger => ledger.RequestUnits));
    }

    [Fact]
    public void Add_AfterALongPause_StartsAgain()
    {
        var ledger = new SecondCounter(300);
        ledger.Add(1, Hundredths(100), 0);
        ledger.Add(1_000_000_000, Hundredths(200), 0);
        ledger.Add(1_000_000_299, Hundredths(300), 0);
        Assert.Equal([1_000_000_000L, 1_000_000_299L], ledger.Read().Select(ledger => ledger.Second));
    }

    [Fact]
    public void Add_SecondBeforeTheFirst_IsCountedInTheFirst()
    {
        var ledger = new SecondCounter(300);
        ledger.Add(10, Hundredths(100), 0);
        ledger.Add(9, Hundredths(100), 0);
        Assert.Equal(2, Assert.Single(ledger.Read()).RequestUnits);
    }

    [Fact]
    public void Read_NothingAdded_IsEmpty() => Assert.Empty(new SecondCounter(300).Read());

    private static RequestUnits Hundredths(int count) => RequestUnits.From(count / 100.0);
}
