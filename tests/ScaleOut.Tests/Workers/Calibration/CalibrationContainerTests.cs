using System.Net;
using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Tests.Workers.Accounts;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Calibration;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Tests.Workers.Calibration;

public sealed class CalibrationContainerTests : IAsyncDisposable
{
    private readonly FakePlane _plane = new();
    private readonly CalibrationContainer _container;

    public CalibrationContainerTests() =>
        _container = new CalibrationContainer(_plane, new AccountConnection { Endpoint = new Uri("https://localhost:1") });

    [Fact]
    public async Task CreateAsync_OutcomeUnknown_DeletesIt()
    {
        _plane.AfterCreate = () => throw FakePlane.Response(HttpStatusCode.ServiceUnavailable);

        await Assert.ThrowsAsync<CosmosException>(CreateAsync);

        Assert.Equal($"{_container.Target.Database}/{_container.Target.Name}", Assert.Single(_plane.Deleted));
        Assert.Null(_container.LeftName);
    }

    [Fact]
    public async Task CreateAsync_OutcomeUnknownAndNotDeleted_SaysSoAndTriesOnce()
    {
        var deletions = 0;
        _plane.AfterCreate = () => throw FakePlane.Response(HttpStatusCode.ServiceUnavailable);
        _plane.BeforeDelete = () =>
        {
            deletions++;
            throw FakePlane.Response(HttpStatusCode.Forbidden);
        };

        var error = await Assert.ThrowsAsync<AccountException>(CreateAsync);
        // As `await using` does behind it.
        await _container.DisposeAsync();

        Assert.Contains("It is not known whether", error.Message, StringComparison.Ordinal);
        Assert.Contains("could not be deleted and goes on to cost money", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, deletions);
        Assert.Equal($"{_container.Target.Database}/{_container.Target.Name}", _container.LeftName);
    }

    [Fact]
    public async Task DisposeAsync_NeverCreated_DeletesNothing()
    {
        await _container.DisposeAsync();

        Assert.Empty(_plane.Deleted);
    }

    public async ValueTask DisposeAsync()
    {
        await _container.DisposeAsync();
        _plane.Dispose();
    }

    private Task CreateAsync() => _container.CreateAsync(1_000, IndexingMode.Consistent, TestContext.Current.CancellationToken);
}
