// The extension starts `fathom lsp` and hands it the settings; everything else is the server's.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, LanguageClientOptions, ServerOptions, TransportKind } from "vscode-languageclient/node";

const SECTION = "fathom";
const LANGUAGES = ["c", "boogie"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const register = (name: string, action: () => Promise<void>) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  register("fathom.verifyFile", verifyFile);
  register("fathom.showProofOfFile", () => execute("fathom.showProof").then(() => undefined));
  register("fathom.restart", restart);
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(`${SECTION}.path`)) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const run = { command: settings.get<string>("path") || "fathom", args: ["lsp"], transport: TransportKind.stdio };
  const server: ServerOptions = { run, debug: run };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    initializationOptions: settings,
    synchronize: {
      configurationSection: SECTION,
      fileEvents: vscode.workspace.createFileSystemWatcher("**/{fathom.toml,*.h}"),
    },
  };
  client = new LanguageClient(SECTION, "Fathom", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const why = error instanceof Error ? error.message : String(error);
    const settingsButton = "Open Settings";
    const chosen = await vscode.window.showErrorMessage(
      `Fathom could not be started (${run.command} lsp): ${why}. The setting fathom.path says where it is.`,
      settingsButton,
    );
    if (chosen === settingsButton) {
      await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.path`);
    }
  }
}

async function restart(): Promise<void> {
  await client?.stop();
  client = undefined;
  await start();
}

/** Runs a command of the server on the current file; its answer, or nothing if it has none. */
async function execute<T>(command: string): Promise<T | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !client) {
    void vscode.window.showWarningMessage(document ? "Fathom is not running." : "There is no file to verify.");
    return undefined;
  }
  try {
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    return (await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [uri] })) as T;
  } catch (error) {
    void vscode.window.showWarningMessage(`Fathom: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function verifyFile(): Promise<void> {
  await vscode.window.activeTextEditor?.document.save();
  const answer = await execute<{ verdict: string }>("fathom.verify");
  if (answer) {
    void vscode.window.showInformationMessage(`Fathom: ${answer.verdict}`);
  }
}
