using Microsoft.Extensions.Hosting;
using ScaleOut.Orchestrator;

FunctionApp.CreateBuilder(args).Build().Run();
