import type { HelpItem } from "./help.ts";
import type { Tariff } from "./tariffs.ts";

/** The plans of the specification's section 9 and the guide, which the web app shows in front of providers that have neither. */

/** SilverState 1, the plan at the start (`docs/specification.md` section 4). */
export const defaultTariffId = 3;

type Plan = Omit<Tariff, "active">;

type PlanRow = [
  name: string,
  users: [number, number | null],
  perUser: number | null,
  minMonthly: number | null,
  pages: number | null,
  extraPage: number | null,
];

const rows: PlanRow[] = [
  ["BronzeState 1", [1, 1], 50, 50, 100, 0.63],
  ["BronzeState 2", [2, 5], 45, 225, 500, 0.56],
  ["SilverState 1", [6, 10], 40, 400, 1000, 0.5],
  ["SilverState 2", [11, 25], 35, 875, 1500, 0.44],
  ["GoldState 1", [26, 50], 30, 1500, 2500, 0.38],
  ["GoldState 2", [51, 100], 25, 2500, 5000, 0.31],
  ["PlatinumState", [101, 250], 20, 5000, 10000, 0.25],
  ["BrilliantState", [251, null], null, null, null, null],
];

/** Without saying which is active. */
export const plans: Plan[] = rows.map(
  ([name, [min_users, max_users], price_per_user, min_monthly, pages, extra_page], index) => ({
    id: index + 1,
    name,
    min_users,
    max_users,
    price_per_user,
    min_monthly,
    pages,
    extra_page,
  }),
);

type Answer = [question: string, answer: string, scope?: "any provider"];

const answers: Answer[] = [
  [
    "How do I issue a document?",
    "Open Documents, Add new doc. Choose the type, fill in the fields, add the page files and review everything; Create issues the document and gives it its QR code. Next saves each step, so you can stop at any time.",
    "any provider",
  ],
  [
    "I was interrupted while making a document. Is my work lost?",
    "No. Everything you saved with Next, Prev or a tab is kept as a draft for 7 days, also when you sign out. The documents list shows your drafts on top: choose Continue draft.",
    "any provider",
  ],
  [
    "Which page files can I add?",
    "JPG, PNG and PDF, up to 25 MB each, 100 files and 200 MB a document. The content counts, not the name. A PDF with a password, or a damaged file, is refused with the reason; save it without the password and add it again.",
    "any provider",
  ],
  [
    "How do I put the pages in the right order?",
    "In step 3, drag a page, or use the arrows under it. The order there is the order of the document. Pages can’t be changed any more once the document has been issued.",
    "any provider",
  ],
  [
    "Where is the QR code printed?",
    "You choose it in step 3: a corner, any place that you drag it to, or a page of its own; the first, the last or every page; and a size. Download sealed PDF on the document then gives you all pages with the code in that place. The files that you added stay as they were.",
  ],
  [
    "How do I get the QR code as a picture?",
    "Open the document and choose Download: you get a PNG with the code, ready to be placed on paper. Get QR shows the same code large on the screen, so that a phone can scan it from there.",
    "any provider",
  ],
  [
    "What does a person who scans the code see?",
    "Whether your company issued the document, whether it is in force today, and, if they type the number on their paper, whether it is that paper; with its type, number, date and how long it is valid. With access type Open to all they see the pages as well; with QR access they don’t.",
  ],
  [
    "What is the difference between Archive and Exited?",
    "Exited withdraws a document: a scan says that it is no longer in force, and raises an alert. Archive only files it away: it becomes read-only and moves from the list to the archive, and a scan says what it said before. Users who may change documents can undo both, and both are in its history.",
  ],
  [
    "Can I choose the document number myself?",
    "Yes. Sealdesk proposes a free number that begins with NM-, and you can type another in step 2. If your company has a number range for such documents, the next number comes by itself. A number can be used once in a company; if a colleague has used it meanwhile, you are asked for another and nothing else is lost.",
  ],
  [
    "What does Prolongation do?",
    "A document that expires and is marked with Prolongation can be extended with one press of Prolong, each time by its first period: a year’s lease by a year. The change is in its history.",
  ],
  [
    "How does a document reach its holder?",
    "Someone who may change the company’s profile turns it on under Settings, Recipients. Then a document in force has Send: its recipient gets a mail in their language, with a link that opens this document alone. The document’s page says whether the mail arrived, was opened, and led to a download. The list’s filter “Mail to recipients” finds what was not delivered or not opened. Remind sends it again, and End link closes every link that was sent. At My documents holders find all that was sent to their address.",
  ],
  [
    "Why does a document wait after Create?",
    "A release rule of your company holds it back: other users than its drafter have to release it first, one or two. It has its number, but no code and no seal until then. It is under Awaiting release in the list of documents; if it is returned, it comes back to the wizard with the reason.",
  ],
  [
    "How does a document get into a wallet app?",
    "Someone who may change the company’s profile turns it on under Settings, Wallets. Then a document in force has Add to a wallet: its holder scans the QR code that it shows, within ten minutes. Holders to whom a document was sent find the same on its page. A withdrawal reaches those who check what is in the wallet within a quarter of an hour.",
  ],
  [
    "Who can see a document?",
    "Users whose access group lets them read documents, within its scope: the whole company, their branch, or their own. If the document names a company users access group, only that group’s members, its owner and administrators see it.",
  ],
  [
    "What do Company, Branch and Personal mean in an access group?",
    "The scope of a right. Company: all records of the company. Branch: those of the user’s own branch. Personal: those the user owns. Beside it stand the rights: read, write (change, archive, delete) and create.",
  ],
  [
    "I forgot my password. What now?",
    "Choose Forgot password? on the sign-in page and enter your email address. You get a link that is valid for one hour; it lets you set a new password and ends all sessions that were open with the old one.",
  ],
  [
    "How do I change my password?",
    "Press your name in the header, then Change password. You need the old one. Your other sessions and any reset link that is still open end; the session in which you change it stays. There you also edit your own data.",
  ],
  [
    "What do the plan and the number in the header mean?",
    "They show your company’s plan and how many documents it has, against 5000. The number only informs: nothing stops when it is reached. What your plan includes, and what it costs, is under the plan’s name.",
    "any provider",
  ],
  [
    "How is the monthly bill made up?",
    "Your users by the tariff’s price per user, but no less than its minimum monthly bill, and each page beyond those that are included. The pages of all documents issued in the calendar month count. The bill as it stands is shown above the tariffs.",
  ],
  [
    "How do we move to another tariff?",
    "Press the plan’s name in the header and choose a tariff: it takes effect at once. A tariff for fewer users than you have is refused until you remove some; one for more is always possible. Your access group must let you change tariffs.",
  ],
  [
    "Does Sealdesk work on my phone, or without JavaScript?",
    "Yes, both. Every page fits a phone’s screen, and every form works with JavaScript switched off; with it, pages can also be dragged into order and lists load without a new page.",
    "any provider",
  ],
];

/** The guide; with another provider only what holds with each. */
export const guideFor = (provider: "own" | "other"): HelpItem[] =>
  answers.flatMap(([question, answer, scope], index) =>
    provider === "own" || scope ? [{ id: index + 1, question, answer }] : [],
  );
