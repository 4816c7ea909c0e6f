using Azure.Core;

namespace ScaleOut.Workers.Accounts.Planes;

/// <summary>Pipeline settings of <see cref="ResourceManagerClient"/>: 429 and 5xx are tried again, after <c>Retry-After</c> where it is given.</summary>
internal sealed class ResourceManagerClientOptions : ClientOptions
{
    public ResourceManagerClientOptions()
    {
        Retry.MaxRetries = 5;
        Retry.NetworkTimeout = TimeSpan.FromSeconds(60);
        Diagnostics.IsLoggingEnabled = false;
        Diagnostics.IsDistributedTracingEnabled = false;
    }

    /// <summary>Time between two questions how an operation goes on, where the answers do not say. Default 2 s.</summary>
    public TimeSpan PollInterval { get; init; } = TimeSpan.FromSeconds(2);
}
