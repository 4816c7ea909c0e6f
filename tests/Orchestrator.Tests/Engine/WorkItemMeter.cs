using Grpc.Core;
using Grpc.Core.Interceptors;
using Microsoft.DurableTask.Protobuf;

namespace ScaleOut.Orchestrator.Tests.Engine;

/// <summary>Measures the histories that the engine sends with each work item.</summary>
internal sealed class WorkItemMeter(EngineTraffic traffic) : Interceptor
{
    public override AsyncServerStreamingCall<TResponse> AsyncServerStreamingCall<TRequest, TResponse>(
        TRequest request, ClientInterceptorContext<TRequest, TResponse> context, AsyncServerStreamingCallContinuation<TRequest, TResponse> continuation)
    {
        var call = continuation(request, context);
        return new AsyncServerStreamingCall<TResponse>(
            new MeteredStream<TResponse>(call.ResponseStream, traffic), call.ResponseHeadersAsync, call.GetStatus, call.GetTrailers, call.Dispose);
    }

    private sealed class MeteredStream<T>(IAsyncStreamReader<T> inner, EngineTraffic traffic) : IAsyncStreamReader<T>
    {
        public T Current => inner.Current;

        public async Task<bool> MoveNext(CancellationToken cancellationToken)
        {
            if (!await inner.MoveNext(cancellationToken))
                return false;
            if (inner.Current is WorkItem { OrchestratorRequest: { } item })
            {
                // A history over 1 MiB does not come with the work item.
                if (item.RequiresHistoryStreaming)
                    traffic.NoteLongHistory(item.InstanceId);
                traffic.AddWorkItem(item.InstanceId, item.PastEvents.Count + item.NewEvents.Count, item.CalculateSize());
            }

            return true;
        }
    }
}
