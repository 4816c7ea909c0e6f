using ScaleOut.Orchestrator;

try
{
    FunctionApp.CreateBuilder(args).Build().Run();
    return 0;
}
catch (OptionsValidationException e)
{
    // The Functions host shows these lines. A stack trace would hide them.
    foreach (var failure in e.Failures)
        Console.Error.WriteLine(failure);
    return 1;
}
