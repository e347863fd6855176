import type { Branch } from "#provider/contract/branches.ts";
import { Avatar, imageSrc } from "../../components/avatar.tsx";
import { Facts, mailFact } from "../../components/facts.tsx";

/** What is kept of a branch. */
export const BranchFacts = ({ branch }: { branch: Branch }) => (
  <div className="px-5 py-2 max-md:px-4 print:px-0">
    <h2 className="sr-only">Properties</h2>
    <Facts
      facts={[
        ["Name", branch.name],
        ["Email", mailFact(branch.email)],
        ["Image", <Avatar key="image" name={branch.name} src={imageSrc(`branches/${branch.id}`, branch.imageUrl)} />],
        ["Phone", branch.phone],
        ["Country", branch.country],
        ["City", branch.city],
        ["Index", branch.index],
        ["Address", branch.address],
        ["Manager", branch.manager],
      ]}
    />
  </div>
);
