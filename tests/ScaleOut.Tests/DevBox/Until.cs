namespace ScaleOut.Tests.DevBox;

/// <summary>Waits for what another process does.</summary>
internal static class Until
{
    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(60);

    /// <summary>Waits until the condition holds.</summary>
    /// <exception cref="TimeoutException">It did not come to hold.</exception>
    public static async Task HoldsAsync(Func<bool> condition, string what, TimeSpan? timeout = null)
    {
        var deadline = DateTimeOffset.UtcNow + (timeout ?? DefaultTimeout);
        while (!condition())
        {
            if (DateTimeOffset.UtcNow > deadline)
                throw new TimeoutException($"Waited too long for: {what}.");
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }
    }
}
