using System.Net;
using Microsoft.Extensions.Logging;

namespace ScaleOut.Simulator.Direct;

/// <summary>What the Direct front end has to tell whoever hosts the account.</summary>
internal static partial class DirectLog
{
    [LoggerMessage(1, LogLevel.Warning, "Direct connection from {Client} closed: {Fault}.")]
    public static partial void ConnectionClosed(ILogger logger, EndPoint? client, string fault);

    [LoggerMessage(2, LogLevel.Error, "Direct connection from {Client} closed: a request could not be processed.")]
    public static partial void RequestFailed(ILogger logger, EndPoint? client, Exception exception);

    [LoggerMessage(3, LogLevel.Error, "The Direct listener on port {Port} cannot accept connections.")]
    public static partial void AcceptFailed(ILogger logger, int port, Exception exception);
}
