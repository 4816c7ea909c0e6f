using ScaleOut.Api;

namespace ScaleOut.Tests.Api;

public sealed class LoggedErrorsTests
{
    private readonly LoggedErrors _logged = new();

    [Fact]
    public void IsNew_SameErrorOfSameJob_IsNewOnce()
    {
        Assert.True(_logged.IsNew("a", "damaged"));
        Assert.False(_logged.IsNew("a", "damaged"));
        Assert.True(_logged.IsNew("a", "missing"));
        Assert.True(_logged.IsNew("b", "damaged"));
    }

    [Fact]
    public void IsNew_MoreThanTheMost_ForgetsTheOldestAlone()
    {
        for (var i = 0; i <= LoggedErrors.MaxErrors; i++)
            Assert.True(_logged.IsNew($"{i}", "damaged"));

        Assert.False(_logged.IsNew("1", "damaged"));
        Assert.False(_logged.IsNew($"{LoggedErrors.MaxErrors}", "damaged"));
        Assert.True(_logged.IsNew("0", "damaged"));
    }
}
