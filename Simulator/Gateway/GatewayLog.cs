using Microsoft.Extensions.Logging;

namespace ScaleOut.Simulator.Gateway;

/// <summary>What the Gateway front end logs.</summary>
internal static partial class GatewayLog
{
    [LoggerMessage(6, LogLevel.Error, "The Gateway request {Method} {Path} could not be processed.")]
    public static partial void RequestFailed(ILogger logger, string method, string path, Exception exception);

    [LoggerMessage(7, LogLevel.Debug, "The Gateway client on port {Port} has gone: {Reason}")]
    public static partial void Disconnected(ILogger logger, int port, string reason);
}
