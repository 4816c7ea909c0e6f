using Grpc.Core;
using Grpc.Core.Interceptors;
using Microsoft.DurableTask.Protobuf;

namespace ScaleOut.Orchestrator.Tests.Hosting;

/// <summary>The requests to start orchestrations, on their way to the engine.</summary>
internal sealed class EngineStarts : Interceptor
{
    /// <summary>In the order in which they came.</summary>
    public ConcurrentQueue<CreateInstanceRequest> All { get; } = new();

    /// <summary>Whether the engine cannot be reached.</summary>
    public bool AreRejected { get; set; }

    /// <summary>Whether the response of the engine does not arrive.</summary>
    public bool LoseResponses { get; set; }

    public override async Task<TResponse> UnaryServerHandler<TRequest, TResponse>(
        TRequest request, ServerCallContext context, UnaryServerMethod<TRequest, TResponse> continuation)
    {
        if (request is not CreateInstanceRequest start)
            return await continuation(request, context);
        All.Enqueue(start);
        if (AreRejected)
            throw new RpcException(new Status(StatusCode.PermissionDenied, "no role"));
        var response = await continuation(request, context);
        return LoseResponses ? throw new RpcException(new Status(StatusCode.DeadlineExceeded, "no response")) : response;
    }
}
