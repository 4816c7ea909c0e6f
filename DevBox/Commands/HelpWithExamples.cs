using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace ScaleOut.DevBox.Commands;

/// <summary>The ordinary help, with examples and exit codes under that of the program as a whole.</summary>
internal sealed class HelpWithExamples(HelpAction help) : SynchronousCommandLineAction
{
    private const string Examples =
        """
        Without a command it is 'run': its options are listed by 'DevBox run --help'.

        Examples:
          DevBox                                       a million inserts by four workers into the simulated account
          DevBox plans/million.json --workers 8        a plan, with one of its fields changed
          DevBox --documents 100000 --workload bulk --latency none
          DevBox --workload read --population 10000    point reads of 10,000 documents that the workers put first
          DevBox --workload batch --document flights --csv rows.csv --key-column airport
          DevBox --throughput 5000 --documents 20000 --fail-if "throttledShare>0.05"
          DevBox --id nightly --out results --json report.json
          DevBox resume nightly --out results          goes on with a run whose program was killed
          DevBox --account https://my.documents.azure.com --container orders
                                                       key in COSMOS_KEY, else the identity that is signed in
          DevBox experiment plans/scale-out.json --scale 0.1 --id scaling
                                                       runs its variants; the same command goes on after an interruption
          DevBox compare runs/a runs/b                 what differs between two runs or experiments, and whether it is noise
          DevBox size --rate 50000 --from runs/scaling what a rate of inserts needs: RU/s, partitions, workers
          DevBox validate plans/million.json           what is wrong with a plan, or what it will take
          DevBox serve --port 5080                     the HTTP interface, and a page to start, watch and read runs
          DevBox account --port 8081                   only the simulated account, for other clients

        Exit codes: 0 complete, 1 incomplete or failed, 2 bad input, 3 --fail-if holds, 130 stopped.
        The first Ctrl+C stops a run and reports, the second ends at once.

        """;

    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        var exitCode = help.Invoke(parseResult);
        if (parseResult.CommandResult.Command is RootCommand)
            parseResult.InvocationConfiguration.Output.WriteLine(Examples);
        return exitCode;
    }
}
