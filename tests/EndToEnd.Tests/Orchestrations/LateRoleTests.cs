using System.Globalization;
using Azure;
using Azure.Identity;

namespace ScaleOut.Tests.EndToEnd.Orchestrations;

/// <summary>
/// A role that takes effect five minutes after the run began, on the engine's clock. Until then the account responds as the service does
/// to an identity without the role.
/// </summary>
public sealed class LateRoleTests : IAsyncLifetime
{
    private readonly ScriptedRun _run = new(ScriptedLeg.Finish);
    private readonly MemoryRunStore _store = new();
    private SimulatedAccount _account = null!;
    private LoopbackServer _forbidding = null!;
    private int _subStatus;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _account = await SimulatedAccount.StartAsync(new AccountSettings { Latency = LatencyProfile.None }, Cancellation);
        _forbidding = await LoopbackServer.StartAsync(ForbidAsync);
    }

    public async ValueTask DisposeAsync()
    {
        await _forbidding.DisposeAsync();
        await _account.DisposeAsync();
    }

    [Theory]
    [InlineData(5300)]
    [InlineData(5302)]
    public async Task Run_RoleHoldsAfterFiveMinutes_WaitsForItAndCreatesItsContainer(int subStatus)
    {
        _subStatus = subStatus;
        PrepareOnAccount(holdsAfter: TimeSpan.FromMinutes(5));

        var outcome = await _run.RunAsync(new RunSpec { Id = "late", Documents = 10, Workers = 1 });

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Contains(RunPhase.WaitingForRoles, _run.Statuses.Select(status => status.Phase));
        Assert.Equal("run-late", Assert.Single(_account.ReadLedger().Containers).Name);
    }

    [Fact]
    public async Task Run_RoleNeverHolds_EndsAndSaysWhatIsForbidden()
    {
        _subStatus = 5301;
        PrepareOnAccount(holdsAfter: TimeSpan.FromHours(1));

        var outcome = await _run.RunAsync(new RunSpec { Id = "never", Documents = 10, Workers = 1 });

        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Contains("(403/5301)", Assert.Single(_run.Ending!.Rejections), StringComparison.Ordinal);
    }

    /// <summary>Such as a firewall or a wrong key of storage, which waiting does not change.</summary>
    [Fact]
    public async Task Run_OtherForbidden_EndsAtOnce()
    {
        PrepareOnAccount(holdsAfter: TimeSpan.FromMinutes(5));
        var outcome = await _run.RunAsync(new RunSpec { Id = "other", Documents = 10, Workers = 1 });
        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Empty(_run.Waits);
    }

    [Theory]
    [InlineData(403, "AuthorizationFailed", true)]
    [InlineData(403, "AuthorizationPermissionMismatch", true)]
    [InlineData(403, "AuthenticationFailed", false)]
    [InlineData(403, "RequestDisallowedByPolicy", false)]
    [InlineData(401, "AuthorizationFailed", false)]
    public void MayBeLateRole_ResponseOfResourceManagerOrStorage_DependsOnItsCode(int status, string code, bool expected)
    {
        var error = new RequestFailedException(status, "No.", code, innerException: null);
        Assert.Equal(expected, AccountErrors.MayBeLateRole(error));
        Assert.Equal(expected, AccountErrors.MayBeLateRole(new AccountException("No.", error)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void MayBeLateRole_NoIdentity_DependsOnWhetherThePlatformGivesOne(bool hasManagedIdentity)
    {
        var error = new CredentialUnavailableException("no managed identity");

        Assert.Equal(hasManagedIdentity, AccountErrors.MayBeLateRole(error, hasManagedIdentity));
        Assert.Equal(hasManagedIdentity, AccountErrors.MayBeLateRole(new AggregateException(error), hasManagedIdentity));
        Assert.False(AccountErrors.MayBeLateRole(new TimeoutException("slow", new IOException("reset")), hasManagedIdentity));
    }

    private void PrepareOnAccount(TimeSpan holdsAfter)
    {
        var begunAt = _run.UtcNow;
        _run.AddActivity<RunSpec>(FunctionNames.PrepareContainer, spec =>
        {
            var account = _run.UtcNow - begunAt >= holdsAfter
                ? _account.Connection()
                : _account.Connection() with { Endpoint = _forbidding.Endpoint, CertificateThumbprint = null };
            using var containers = new ContainerControl(account);
            return Task.Run(() => containers.PrepareAsync(spec, _store, Cancellation), Cancellation).GetAwaiter().GetResult();
        });
    }

    private async Task ForbidAsync(HttpContext context)
    {
        context.Response.StatusCode = 403;
        context.Response.Headers["x-ms-substatus"] = _subStatus.ToString(CultureInfo.InvariantCulture);
        await context.Response.WriteAsJsonAsync(new { code = "Forbidden", message = "no action" }, context.RequestAborted);
    }
}
